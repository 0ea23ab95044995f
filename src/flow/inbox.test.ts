import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runEngine } from '../engine.js';

const root = mkdtempSync(join(tmpdir(), 'inbox-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The verdict on a Kafka handler with this body, and the rules that it breaks. */
function judged(body: string): string {
  writeFileSync(
    join(root, 'consumer.ts'),
    `import { Kafka } from 'kafkajs';
import knexFactory from 'knex';
import { Pool } from 'pg';
import { createInbox, fromKnex } from '@idempotent-consumers/inbox';
const knex = knexFactory({ client: 'pg' });
const pool = new Pool();
const inbox = createInbox({ pool, consumer: 'bank' });
await new Kafka({ brokers: [] }).consumer({ groupId: 'bank' }).run({
  eachMessage: async ({ message }) => {
    const event = JSON.parse(message.value.toString());
    ${body}
  },
});
`,
  );
  const [handler] = runEngine({ root, preset: 'strict' }).handlers;
  return [handler?.verdict ?? 'no handler', ...(handler?.findings ?? []).map((f) => f.rule)].join(' ');
}

const DELTA = `'UPDATE accounts SET balance = balance + $1 WHERE id = $2', [event.amount, event.account]`;

describe('the inbox', () => {
  it('keeps a repeat from what runs on its transaction', () => {
    expect(judged(`await inbox.process({ id: event.id }, (tx) => tx.query(${DELTA}));`)).toBe('safe');
    expect(judged(`await pool.query(${DELTA});`)).toBe('unsafe no-delta-write');
  });

  it('does not cover what runs on another connection', () => {
    expect(judged(`await inbox.process({ id: event.id }, () => pool.query(${DELTA}));`)).toMatch(/^unsafe/);
  });

  it('joins a transaction of the caller', () => {
    const work = `async () => { await trx('accounts').where({ id: event.account }).increment('balance', event.amount); }`;
    expect(judged(`await knex.transaction((trx) => inbox.record(fromKnex(trx), { id: event.id }, ${work}));`)).toBe('safe');
    expect(judged(`await knex.transaction((trx) => inbox.record(fromKnex(trx), { id: event.id }, ${work.replaceAll('trx', 'knex')}));`)).toMatch(/^unsafe/);
  });

  it('tells no repeat by an id that each delivery has anew', () => {
    expect(judged(`await inbox.process({ id: crypto.randomUUID() }, (tx) => tx.query(${DELTA}));`)).toBe('unsafe no-delivery-id-dedupe');
  });
});
