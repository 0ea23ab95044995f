/** The harness against consumers that are wrong in one way each, and against ones that are right. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertIdempotent, proveHandler, type Proof, type ProofOptions } from '@idempotent-consumers/inbox/testing';
import { describe, expect, inject, it } from 'vitest';

const scenario = (name: string): URL => new URL(`scenarios/${name}.mjs`, import.meta.url);
const prove = (name: string, options: ProofOptions = {}): Promise<Proof> =>
  proveHandler(scenario(name), { databaseUrl: inject('databaseUrl'), ...options });
const lines = ({ differences }: Proof): string[] => differences.map(({ kind, run, what }) => `${kind}: ${run}: ${what}`);

const timeout = 120_000;

describe('a consumer that is wrong', { timeout }, () => {
  it('adds again after a crash before the ack', async () => {
    const proof = await prove('delta');
    expect(proof.verdict).toBe('broken');
    expect(proof.effects).toEqual(['`UPDATE accounts`', 'the ack']);
    expect(lines(proof)).toEqual([
      'repeated: crash after `UPDATE accounts` and before the ack: accounts id=1: balance 120 instead of 110',
      'repeated: the answer of `UPDATE accounts` is lost once: accounts id=1: balance 120 instead of 110',
      'repeated: delivered twice in a row: accounts id=1: balance 120 instead of 110',
      'repeated: delivered again to another process: accounts id=1: balance 120 instead of 110',
      'repeated: delivered twice at once, one of them waiting after `UPDATE accounts` and before the ack: accounts id=1: balance 120 instead of 110',
    ]);
    expect(proof.differences[0]).toMatchObject({
      table: 'accounts',
      expected: { id: 1, balance: 110 },
      actual: { id: 1, balance: 120 },
    });
  });

  it('loses a message that it acknowledges first', async () => {
    const proof = await prove('ack-first');
    expect(lines(proof)).toEqual([
      'lost: crash after the ack and before `INSERT INTO archive`: archive: the row {agent: Ada, ticket: T-1} is missing',
      'lost: `INSERT INTO archive` fails once: archive: the row {agent: Ada, ticket: T-1} is missing',
    ]);
    expect(proof.report).toContain('acknowledged, but archive: the row');
  });

  it('loses a message whose failure it swallows', async () => {
    expect(lines(await prove('swallowed'))).toEqual(['lost: `INSERT INTO archive` fails once: archive: the row {ticket: T-1} is missing']);
  });

  it('counts twice when two deliveries pass its check at once', async () => {
    const found = lines(await prove('check-then-act'));
    expect(found).toContain(
      'repeated: delivered twice at once, one of them waiting after `SELECT … FROM seen` and before `INSERT INTO seen`: counters name=visits: n 2 instead of 1',
    );
    expect(found.filter((line) => !line.includes('at once'))).toEqual([]);
  });

  it.each(['fetch', 'https'])('calls twice by %s without a key, and with one that it mints', async (BY) => {
    for (const KEYED of ['none', 'minted']) {
      const found = lines(await prove('call', { env: { BY, KEYED } }));
      expect(found).toContain(
        'repeated: crash after POST https://pay.example/charges and before the ack: POST https://pay.example/charges {amount: 5} 2 times instead of once',
      );
    }
    expect(lines(await prove('call', { env: { BY, KEYED: 'derived' } }))).toEqual([]);
  });

  it('calls in a transaction that is then rolled back', async () => {
    expect(lines(await prove('call-in-transaction'))).toEqual([
      'stray: COMMIT fails at every delivery: POST https://mail.example/send was made in a transaction that was rolled back; the database has nothing of it',
    ]);
  });

  it('writes an older state over a newer one', async () => {
    const found = lines(await prove('last-writer'));
    expect(found).toEqual([
      'overwritten: delivered again after a newer one: shipments id=S1: status packed instead of sent, version 1 instead of 2',
      'overwritten: delivered late, after a newer one: shipments id=S1: status packed instead of sent, version 1 instead of 2',
    ]);
    expect(lines(await prove('last-writer', { env: { GATED: '1' } }))).toEqual([]);
  });

  it('sends twice without an id', async () => {
    expect(lines(await prove('publish'))).toContain(
      'repeated: crash after publish to order-confirmed and before the ack: publish to order-confirmed {total: 12} 2 times instead of once',
    );
    expect(lines(await prove('publish', { env: { WITH_ID: '1' } }))).toEqual([]);
    // Or its receiver knows it by what is in the body.
    expect(lines(await prove('publish', { callKey: ({ name, body }) => `${name} ${JSON.stringify(body)}` }))).toEqual([]);
  });

  it('is stuck on a key that is taken', async () => {
    const proof = await prove('plain-insert');
    expect(lines(proof)).toContain(
      'stuck: crash after `INSERT INTO payments` and before the ack: not acknowledged after 5 deliveries (error: duplicate key value violates unique constraint "payments_pkey")',
    );
    expect(proof.notCompared).toEqual(['payments.paid_at']);
  });

  it('forgets with its process what it has seen', async () => {
    const found = lines(await prove('memory'));
    expect(found).toContain(
      'repeated: crash after `INSERT INTO entries` and before the ack: entries: 2 rows {id: (new), note: hello} instead of 1',
    );
    // A number that a rolled back delivery has used up is no difference, nor is a delivery that the memory recognised.
    expect(found.filter((line) => /fails once|in a row|before `INSERT/.test(line))).toEqual([]);
  });

  it('repeats an effect of its own that was declared', async () => {
    expect(lines(await prove('own-effect'))).toContain('repeated: crash after print a page and before the ack: print a page "page 3" 2 times instead of once');
  });
});

describe('a crash', { timeout }, () => {
  it('lets nothing of the consumer run on', async () => {
    const TRACE = join(mkdtempSync(join(tmpdir(), 'harness-')), 'trace');
    const proof = await prove('not-awaited', { env: { TRACE } });
    const crashes = proof.runs.filter((run) => run.startsWith('crash before'));
    expect(crashes).toEqual(['crash before `INSERT INTO archive`', 'crash before the ack, with `INSERT INTO archive` under way']);
    // In the first of them the line after the query did not run before the redelivery: 2 comes without a 1.
    expect(readFileSync(TRACE, 'utf8')).toMatch(/^1 1 2 /);
  });
});

describe('a consumer that is right', { timeout }, () => {
  it('has no differences', async () => {
    const proof = await prove('inbox');
    expect(lines(proof)).toEqual([]);
    expect(proof.verdict).toBe('idempotent');
    expect(proof.effects).toEqual(['`BEGIN; INSERT INTO inbox.processed`', '`UPDATE accounts`', '`COMMIT`', 'the ack']);
    expect(proof.runs).toContain('crash after `COMMIT` and before the ack');
    expect(proof.notCompared).toEqual(['inbox.processed.processed_at']);
  });
});

describe('a scenario in TypeScript', { timeout }, () => {
  const typed = new URL('scenarios/typed.ts', import.meta.url);

  it('is loaded, and what it imports', async () => {
    expect(lines(await proveHandler(typed, { databaseUrl: inject('databaseUrl') }))).toEqual([]);
    const early = await proveHandler(typed, { databaseUrl: inject('databaseUrl'), env: { EARLY: '1' } });
    expect(lines(early)).toContain('lost: crash after the ack and before `INSERT INTO archive`: archive: the row {ticket: T-1} is missing');
  });

  it('is refused where nothing can load it', async () => {
    const dropsTypes = Boolean((process.features as { typescript?: unknown }).typescript);
    const why = dropsTypes ? /could not be loaded/ : /scenario\.ts is TypeScript, which Node\.js .* does not load\. Run: npm install --save-dev tsx/;
    await expect(proveHandler('/nowhere/scenario.ts', { databaseUrl: inject('databaseUrl') })).rejects.toThrow(why);
  });
});

describe('the statements of', { timeout }, () => {
  it.each(['pg', 'prepared', 'postgres', 'knex', 'kysely', 'drizzle', 'sequelize', 'typeorm'])('%s are seen', async (DRIVER) => {
    const proof = await prove('drivers', { env: { DRIVER } });
    expect(lines(proof)).toContain('repeated: crash after `INSERT INTO notes` and before the ack: notes: 2 rows {id: 1} instead of 1');
    expect(proof.runs).toContain('`INSERT INTO notes` fails once');
    expect(lines(proof).filter((line) => line.includes('fails once'))).toEqual([]);
  });
});

describe('a proof', { timeout }, () => {
  it('is the same for the same seed', async () => {
    const [a, b] = [await prove('memory', { seed: 7 }), await prove('memory', { seed: 7 })];
    expect({ ...a, elapsed: 0 }).toEqual({ ...b, elapsed: 0 });
  });

  it('tells what it left out, and is then none', async () => {
    const proof = await prove('inbox', { timeBudget: 0 });
    expect(proof.verdict).toBe('incomplete');
    expect(proof.limits).toEqual([expect.stringMatching(/^\d+ runs did not fit into timeBudget \(0 ms\): crash before/)]);
    const few = await prove('inbox', { maxCrashes: 1, timeBudget: 0 });
    expect(few.limits[0]).toBe('4 of 5 crash points are more than maxCrashes (1)');
    await expect(assertIdempotent(scenario('inbox'), { databaseUrl: inject('databaseUrl'), timeBudget: 0 })).rejects.toThrow(/Not tried/);
  });

  it('tells of a point that a delivery did not reach', async () => {
    const TRACE = join(mkdtempSync(join(tmpdir(), 'harness-')), 'trace');
    const proof = await prove('fickle', { env: { TRACE } });
    expect(proof.verdict).toBe('incomplete');
    expect(proof.limits).toContain('crash after the ack (the delivery took another way than the clean one and did not get there)');
  });

  it('is refused if not even a clean delivery works', async () => {
    await expect(prove('broken')).rejects.toThrow(/not acknowledged at its first delivery.*no such account/);
    await expect(prove('missing')).rejects.toThrow(/could not be loaded/);
  });

  it('fails an assertion with the report, and carries the rest', async () => {
    const failure = await assertIdempotent(scenario('delta'), { databaseUrl: inject('databaseUrl') }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'AssertionError', code: 'ERR_ASSERTION', proof: { verdict: 'broken' } });
    expect(String(failure)).toContain('crash after `UPDATE accounts` and before the ack: accounts id=1: balance 120 instead of 110');
  });
});
