import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runEngine } from '../engine.js';
import { applyEdits } from './context.js';

const root = mkdtempSync(join(tmpdir(), 'out-of-transaction-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The file after the suggestion, undefined if there is none; after it the finding is gone. */
function suggested(text: string): string | undefined {
  const [finding, ...more] = findings(text);
  expect(finding).toBeDefined();
  expect(more).toEqual([]);
  const suggestions = finding?.suggestions ?? [];
  expect(suggestions.length).toBeLessThan(2);
  if (!suggestions[0]) return undefined;
  const after = applyEdits(text, suggestions[0].edits);
  expect(findings(after)).toEqual([]);
  return after;
}

function findings(text: string) {
  writeFileSync(join(root, 'consumer.js'), text);
  const { handlers, problems } = runEngine({ root, paths: ['consumer.js'], preset: 'strict' });
  expect(problems).toEqual([]);
  return handlers.flatMap((h) => h.findings).filter((f) => f.rule === 'no-external-effect-in-transaction');
}

function worker(body: string): string {
  return `import axios from 'axios';
import { Worker } from 'bullmq';
import knex from 'knex';
import pg from 'pg';
const db = knex({ client: 'pg' });
const pool = new pg.Pool();
new Worker('orders', async ({ data: order }) => {
${body}
});
`;
}

const WRITE = "await trx('orders').where({ id: order.id }).update({ status: 'paid' });";
const POST = "await axios.post('https://example.org/labels', order, { headers: { 'Idempotency-Key': order.id } });";

describe('out of the transaction', () => {
  it('goes behind the callback, with its comment', () => {
    expect(suggested(worker(`  await db.transaction(async (trx) => {\n    ${WRITE}\n    // The label.\n    ${POST}\n  });\n  console.log('done');`))).toBe(
      worker(`  await db.transaction(async (trx) => {\n    ${WRITE}\n  });\n  // The label.\n  ${POST}\n  console.log('done');`),
    );
  });

  it('goes behind the commit', () => {
    const code = (a: string, b: string): string => worker(`  const client = await pool.connect();\n  try {\n    await client.query('BEGIN');\n    await client.query("UPDATE orders SET status = 'paid' WHERE id = $1", [order.id]);\n    ${a}\n    ${b}\n  } catch (error) {\n    await client.query('ROLLBACK');\n    throw error;\n  }`);
    expect(suggested(code(POST, "await client.query('COMMIT');"))).toBe(code("await client.query('COMMIT');", POST));
  });

  it('asks before the transaction begins', () => {
    const ask = "const { data } = await axios.get('https://example.org/rates');";
    const write = "await trx('orders').where({ id: order.id }).update({ rate: data.rate });";
    expect(suggested(worker(`  // All of it.\n  await db.transaction(async (trx) => {\n    ${ask}\n    ${write}\n  });`))).toBe(worker(`  ${ask}\n  // All of it.\n  await db.transaction(async (trx) => {\n    ${write}\n  });`));
  });

  it.each([
    ['its result is used', `  await db.transaction(async (trx) => {\n    const label = ${POST}\n    await trx('orders').where({ id: order.id }).update({ label: label.data.url });\n  });`],
    ['something follows it', `  await db.transaction(async (trx) => {\n    ${POST}\n    ${WRITE}\n  });`],
    ['it is not reached on each way', `  await db.transaction(async (trx) => {\n    if (order.free) return;\n    ${WRITE}\n    ${POST}\n  });`],
    ['it reads what is inside', `  await db.transaction(async (trx) => {\n    const row = await trx('orders').where({ id: order.id }).first();\n    await axios.post('https://example.org/labels', row);\n  });`],
    ['a redelivery skips it', `  await db.transaction(async (trx) => {\n    const done = await trx('processed').where({ id: order.id }).forUpdate().first();\n    if (!done) {\n      await trx('processed').insert({ id: order.id });\n      ${POST}\n    }\n  });`],
    ['the name of the answer is taken outside', `  const data = order;\n  await db.transaction(async (trx) => {\n    const { data } = await axios.get('https://example.org/rates');\n    await trx('orders').where({ id: order.id }).update({ rate: data.rate });\n  });\n  console.log(data);`],
  ])('is not offered where %s', (_, body) => {
    expect(suggested(worker(body))).toBeUndefined();
  });
});
