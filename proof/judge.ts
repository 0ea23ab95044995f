/** What the analyzer says of a fixture, what the harness sees of it, and where the two do not agree. */
import { fileURLToPath } from 'node:url';
import { proveHandler, type Difference, type DifferenceKind, type Proof } from '@idempotent-consumers/inbox/testing';
import type { Program } from '../fixtures/programs.js';
import { runEngine } from '../src/engine.js';
import type { Finding } from '../src/model/finding.js';
import { compiled, scenarioOf } from './fixture.js';

type Kinds = readonly DifferenceKind[];

/** What the messages of a rule announce, by the id of the message where they differ. Of the other rules a run on one database shows nothing. */
const announced: Record<string, Kinds | Map<string, Kinds>> = {
  'ack-after-commit': ['lost'],
  'no-ack-on-failure': ['lost'],
  'no-delta-write': ['repeated'],
  'no-unkeyed-insert': ['repeated'],
  'atomic-inbox': new Map<string, Kinds>([
    ['recordFirst', ['lost']],
    ['checkThenAct', ['repeated']],
    ['outside', ['lost', 'repeated']],
    ['ignored', ['repeated']],
    ['memory', ['repeated']],
  ]),
  'no-delivery-id-dedupe': ['repeated'],
  'single-external-effect': ['repeated'],
  'require-idempotency-key': ['repeated'],
  // A question that is asked in a transaction holds its locks, and leaves nothing behind.
  'no-external-effect-in-transaction': new Map<string, Kinds>([['effect', ['stray']]]),
};

function kindsOf({ rule, messageId }: Finding): Kinds {
  const kinds = announced[rule] ?? [];
  return kinds instanceof Map ? (kinds.get(messageId) ?? []) : kinds;
}

/** One line of the table. */
export interface Row {
  fixture: string;
  /** Its folder, or its file. */
  path: string;
  /** The rules that the analyzer reports, those of `strict` marked. */
  found: string[];
  /** Of each kind of difference, the first in words. */
  observed: string[];
  /** Empty if the two agree. */
  disagreements: string[];
}

export function findingsOf(fixture: Program): Finding[] {
  const { handlers } = runEngine({ root: fixture.folder, paths: fixture.files, preset: 'strict' });
  if (handlers.length === 0) throw new Error(`The analyzer finds no handler in ${fixture.name}.`);
  return handlers.flatMap(({ findings }) => findings).filter((finding) => kindsOf(finding).length > 0);
}

export async function judge(fixture: Program, databaseUrl: string): Promise<Row> {
  const findings = findingsOf(fixture);
  const proof = await observe(fixture, databaseUrl);
  return {
    fixture: fixture.name,
    path: `fixtures/proof/${fixture.name}`,
    found: [...new Set(findings.map(({ rule, preset }) => (preset === 'strict' ? `${rule} (strict)` : rule)))].sort(),
    observed: firstOfEachKind(proof.differences).map(({ kind, run, what }) => `${kind}: ${run}: ${what}`),
    disagreements: disagreements(findings, proof),
  };
}

function observe(fixture: Program, databaseUrl: string): Promise<Proof> {
  const { receiverKnows = {} } = scenarioOf(fixture);
  return proveHandler(new URL('scenario.cjs', import.meta.url), {
    databaseUrl,
    env: { FIXTURE: compiled(fixture) },
    fakes,
    commonjs: true,
    timeBudget: 110_000,
    callKey: ({ name, body }) => {
      const at = receiverKnows[name];
      const value = at === undefined ? undefined : at.split('.').reduce<unknown>((of, key) => (of as Record<string, unknown> | null)?.[key], body);
      return value === undefined ? undefined : JSON.stringify(value);
    },
  });
}

const fakes = Object.fromEntries(
  Object.entries({
    '@aws-sdk/client-ses': 'aws-ses',
    axios: 'axios',
    ioredis: 'ioredis',
    nodemailer: 'nodemailer',
    stripe: 'stripe',
  }).map(([name, file]) => [name, fileURLToPath(new URL(`fakes/${file}.js`, import.meta.url))]),
);

function firstOfEachKind(differences: readonly Difference[]): Difference[] {
  return differences.filter(({ kind }, i) => differences.findIndex((other) => other.kind === kind) === i);
}

function disagreements(findings: readonly Finding[], { differences, limits }: Proof): string[] {
  const seen = new Set(differences.map(({ kind }) => kind));
  const unseen = findings.filter((finding) => !kindsOf(finding).some((kind) => seen.has(kind)));
  const expected = new Set(findings.flatMap(kindsOf));
  const unannounced = differences.filter(({ kind }) => !expected.has(kind));
  return [
    ...unseen.map(({ rule, message, place }) => `${place.file}:${place.line} ${rule} is not observed: ${message}`),
    ...firstOfEachKind(unannounced).map(({ kind, run, what }) => `no finding announces this: ${kind}: ${run}: ${what}`),
    ...(findings.length === 0 ? limits.map((limit) => `not tried: ${limit}`) : []),
  ];
}
