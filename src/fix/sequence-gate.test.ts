import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runEngine } from '../engine.js';
import { applyEdits } from './context.js';

const root = mkdtempSync(join(tmpdir(), 'sequence-gate-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const consumer = (head: string, write: string): string => `import amqp from 'amqplib';
${head}
export async function start() {
  const channel = await (await amqp.connect('amqp://localhost')).createChannel();
  await channel.consume('parcels', async (msg) => {
    const parcel = JSON.parse(msg.content.toString());
    await ${write};
    channel.ack(msg);
  });
}
`;

const pg = `import { Pool } from 'pg';\nconst pool = new Pool();`;
const prisma = `import { PrismaClient } from '@prisma/client';\nconst prisma = new PrismaClient();`;
const mongo = `import { MongoClient } from 'mongodb';\nconst parcels = new MongoClient('mongodb://localhost').db('depot').collection('parcels');`;

/** The write after the suggestion for the finding; undefined if it has none. */
function gated(head: string, write: string): string | undefined {
  const text = consumer(head, write);
  writeFileSync(join(root, 'consumer.js'), text);
  const found = (): ReturnType<typeof runEngine>['handlers'][number]['findings'] => runEngine({ root, paths: ['consumer.js'], preset: 'strict' }).handlers.flatMap((h) => h.findings).filter((f) => f.rule === 'require-sequence-gate');
  const [finding] = found();
  expect(finding, 'a finding').toBeDefined();
  const [suggestion] = finding?.suggestions ?? [];
  if (!suggestion) return undefined;
  const after = applyEdits(text, suggestion.edits);
  writeFileSync(join(root, 'consumer.js'), after);
  expect(found(), after).toEqual([]);
  return /\n {4}await ([^]*);\n {4}channel\.ack/.exec(after)?.[1];
}

describe('the condition that lets only a newer message write', () => {
  it('joins those of an update', () => {
    expect(gated(pg, "pool.query('UPDATE parcels SET status = $1, version = $2 WHERE id = $3', [parcel.status, parcel.version, parcel.id])")).toBe(
      "pool.query('UPDATE parcels SET status = $1, version = $2 WHERE id = $3 AND version < $2', [parcel.status, parcel.version, parcel.id])",
    );
  });

  it('is written as the column is', () => {
    expect(gated(pg, `pool.query('UPDATE parcels SET status = $1, "version" = $2 WHERE id = $3 RETURNING id', [parcel.status, parcel.version, parcel.id])`)).toBe(
      `pool.query('UPDATE parcels SET status = $1, "version" = $2 WHERE id = $3 AND "version" < $2 RETURNING id', [parcel.status, parcel.version, parcel.id])`,
    );
  });

  it('stands behind the assignments of an upsert', () => {
    expect(gated(pg, "pool.query('INSERT INTO parcels (id, status, version) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET status = EXCLUDED.status, version = EXCLUDED.version', [parcel.id, parcel.status, parcel.version])")).toBe(
      "pool.query('INSERT INTO parcels (id, status, version) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET status = EXCLUDED.status, version = EXCLUDED.version WHERE parcels.version < EXCLUDED.version', [parcel.id, parcel.status, parcel.version])",
    );
  });

  it('joins the filter of updateMany of Prisma', () => {
    expect(gated(prisma, 'prisma.parcel.updateMany({ where: { id: parcel.id }, data: { status: parcel.status, version: parcel.version } })')).toBe(
      'prisma.parcel.updateMany({ where: { id: parcel.id, version: { lt: parcel.version } }, data: { status: parcel.status, version: parcel.version } })',
    );
  });

  it('joins the filter of updateOne of MongoDB', () => {
    expect(gated(mongo, 'parcels.updateOne({ _id: parcel.id }, { $set: { status: parcel.status, version: parcel.version } })')).toBe(
      'parcels.updateOne({ _id: parcel.id, version: { $lt: parcel.version } }, { $set: { status: parcel.status, version: parcel.version } })',
    );
  });

  it('is not offered where no row would be an error, or a row would be added', () => {
    expect(gated(prisma, 'prisma.parcel.update({ where: { id: parcel.id }, data: { status: parcel.status, version: parcel.version } })')).toBeUndefined();
    expect(gated(mongo, 'parcels.updateOne({ _id: parcel.id }, { $set: { status: parcel.status, version: parcel.version } }, { upsert: true })')).toBeUndefined();
  });
});
