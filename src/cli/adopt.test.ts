import { cpSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { call, json, project, type Outcome } from '../../fixtures/command-runner.js';

const fixtures = join(import.meta.dirname, '../../fixtures/adopt');
const repository = join(import.meta.dirname, '../..');

/** Each moves by this line of its handler. */
const cases: [folder: string, line: string][] = [
  ['pg', 'payments.ts:10'],
  ['pg-commonjs', 'refunds.js:12'],
  ['knex', 'orders.ts:16'],
  ['knex-javascript', 'visits.mjs:9'],
  ['kysely', 'payments.ts:15'],
  ['drizzle', 'payments.ts:12'],
  ['typeorm', 'bookings.ts:15'],
  ['prisma', 'purchases.ts:12'],
];

/** Rules about what a repeat does to the database. */
const DATABASE = /^(no-delta-write|no-unkeyed-insert|atomic-inbox|no-delivery-id-dedupe)$/;

const files = (folder: string): Record<string, string> => Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
const adopt = (root: string, ...args: string[]): Promise<Outcome> => call(root, ['adopt', ...args]);
const rules = async (root: string): Promise<string[]> => (await json(root, ['--preset', 'strict'])).handlers.flatMap((h) => h.findings.map((f) => f.rule));

describe('idempotent-consumers adopt', () => {
  it.each(cases)('moves a consumer of %s onto the inbox', async (folder, line) => {
    const root = project({});
    cpSync(join(fixtures, folder, 'before'), root, { recursive: true });
    const before = await rules(root);
    expect(before.filter((r) => DATABASE.test(r))).not.toEqual([]);
    expect(await adopt(root, line)).toMatchObject({ code: 0, err: '' });
    expect(files(root)).toEqual(files(join(fixtures, folder, 'after')));
    const after = await rules(root);
    expect(after.filter((r) => !before.includes(r) || DATABASE.test(r))).toEqual([]);
  });

  it('gives code that has the types of the real libraries', { timeout: 120_000 }, () => {
    // The client of Prisma has types only once it is made from a schema.
    const roots = cases.filter(([folder]) => folder !== 'prisma').flatMap(([folder]) => Object.keys(files(join(fixtures, folder, 'after'))).filter((f) => f.endsWith('.ts')).map((f) => join(fixtures, folder, 'after', f)));
    const program = ts.createProgram([join(fixtures, 'clients.d.ts'), ...roots], {
      strict: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2023.d.ts', 'lib.es2024.string.d.ts'],
      module: ts.ModuleKind.NodeNext,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [join(repository, 'node_modules/@types')],
      paths: { '@idempotent-consumers/inbox': [join(repository, 'runtime/src/index.ts')] },
    });
    const errors = roots.flatMap((file) => [...program.getSyntacticDiagnostics(program.getSourceFile(file)), ...program.getSemanticDiagnostics(program.getSourceFile(file))]);
    expect(errors.map((d) => `${d.file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(d.messageText, ' ')}`)).toEqual([]);
  });

  it('shows the changes and writes nothing with --dry-run', async () => {
    const root = project(files(join(fixtures, 'pg/before')));
    const { out, code } = await adopt(root, 'payments.ts:10', '--dry-run');
    expect(files(root)).toEqual(files(join(fixtures, 'pg/before')));
    expect(out).toContain('+++ b/accounts.ts');
    expect(out).toContain("+      const outcome = await inbox.process({ id: payment.eventId }, async (tx) => {");
    expect(out).toMatch(/\neachMessage would run on the inbox, with 2 files changed\. Nothing was written\.\n- Install @idempotent-consumers\/inbox, and create its tables: /);
    expect(code).toBe(0);
  });

  it('takes the id and the name of the consumer from its options', async () => {
    const root = project({ 'consumer.ts': kafka('await pool.query(ADD, [event.amount]);') });
    expect((await adopt(root, 'consumer.ts:9', '--id', 'event.reference', '--consumer', 'ledger')).code).toBe(0);
    expect(files(root)['consumer.ts']).toContain("createInbox({ pool, consumer: 'ledger' })");
    expect(files(root)['consumer.ts']).toContain('inbox.process({ id: event.reference }, async (tx) => {');
  });

  it('says what a client gives no id of the producer for', async () => {
    const root = project(files(join(fixtures, 'knex/before')));
    expect((await adopt(root, 'orders.ts:16', '--dry-run')).out).toContain('`msg.properties.messageId` must be set by the producer, the same at each try to send the message: `channel.publish(…, { messageId })`.');
  });

  it('names the handlers that reach a line which is in none', async () => {
    const root = project(files(join(fixtures, 'pg/before')));
    const { code, err } = await adopt(root, 'accounts.ts:11');
    expect({ code, err }).toEqual({ code: 2, err: 'idempotent-consumers: adopt accounts.ts:11: accounts.ts has no handler on this line, but code that handlers reach. Give a line of one of them: payments.ts:10.\n' });
    expect(await adopt(root, 'db.ts:1')).toMatchObject({ code: 2, err: expect.stringContaining('no handler holds this line') as string });
    expect(await adopt(root, 'payments.ts')).toMatchObject({ code: 2, err: expect.stringContaining('give a file and a line') as string });
  });
});

/** A handler of kafkajs whose statements begin on line 10. */
function kafka(body: string, head = ''): string {
  return `import { Kafka } from 'kafkajs';
import { Pool } from 'pg';
const pool = new Pool();
const other = new Pool();
const ADD = 'UPDATE totals SET amount = amount + $1';
await new Kafka({ clientId: 'a', brokers: [] }).consumer({ groupId: 'g' }).run({
  eachMessage: async ({ message }) => {
    const event = JSON.parse(message.value!.toString());
    console.log(event.eventId);
    ${body}
  },
});
${head}`;
}

const QUERY = 'await pool.query(ADD, [event.amount]);';

describe('adopt refuses, and changes nothing,', () => {
  const refused: [what: string, code: string, line: number, says: RegExp][] = [
    ['without an id of the producer', kafka(QUERY).replace('event.eventId', 'event.amount'), 7, /No id of its producer is in sight .* make one together with the event .* --id/],
    ['statements on two connections', kafka(`${QUERY}\n    await other.query('DELETE FROM carts WHERE id = $1', [event.cart]);`), 11, /another connection than the statement on line 10/],
    ['a call in between', kafka(`${QUERY}\n    await fetch('https://mail.example', { method: 'POST', body: event.mail });\n    ${QUERY}`), 11, /cannot be rolled back/],
    ['what nobody can see', kafka(`${QUERY}\n    await audit(event);\n    ${QUERY}`, "import { audit } from 'acme-audit';"), 11, /What it does cannot be seen \(the package acme-audit is not known\)/],
    ['a statement that nobody waits for', kafka('pool.query(ADD, [event.amount]);'), 10, /Nobody waits for it/],
    ['a failure that is swallowed', kafka(`try {\n      ${QUERY}\n    } catch (error) {\n      console.error(error);\n    }\n    ${QUERY}`), 12, /PostgreSQL has given the transaction up/],
    ['an id that comes with the statements', kafka(`const { rows: [stored], eventId } = { ...(await pool.query('SELECT * FROM carts WHERE id = $1', [event.eventId])), eventId: event.eventId };\n    await pool.query(ADD, [stored.amount, eventId]);`).replace('console.log(event.eventId);', ''), 10, /Read (it|the id)/],
    ['a callback', kafka("pool.query(ADD, [event.amount], (error) => console.log(error));"), 10, /gives its result to a callback/],
    ['a transaction of its own', kafka(`const client = await pool.connect();\n    await client.query('BEGIN');\n    await client.query(ADD, [event.amount]);\n    await client.query('COMMIT');`), 11, /A transaction is opened here/],
    ['a client of its own', kafka('const client = await pool.connect();\n    await client.query(ADD, [event.amount]);'), 11, /a connection or in a transaction of its own/],
    ['a function that is passed on', kafka('await Promise.all(event.parts.map(add));', 'async function add(part: { amount: number }) {\n  await pool.query(ADD, [part.amount]);\n}'), 10, /passed on as a value/],
    ['a database that is not PostgreSQL', kafka("await knex('totals').increment('amount', event.amount);", "import knexFactory from 'knex';\nconst knex = knexFactory({ client: 'mysql2' });"), 10, /a connection to mysql2, and the inbox works in PostgreSQL alone/],
    ['a batch', kafka(QUERY).replace('eachMessage: async ({ message }) => {', 'eachBatch: async ({ batch }) => { for (const message of batch.messages) {').replace('\n  },\n', '\n  } },\n'), 7, /several messages at once/],
    ['work that is left early', kafka(`const { rowCount } = ${QUERY.replace(';', '')};\n    if (rowCount === 0) return;\n    ${QUERY}\n    console.log('done');`), 11, /leaves the work past the statements behind it/],
    ['a handler without a database', kafka("await fetch('https://mail.example', { method: 'POST', body: event.mail });"), 7, /changes nothing in a database/],
    ['a handler that is on the inbox', kafka('await inbox.process({ id: event.eventId }, (tx) => tx.query(ADD, [event.amount]));', "import { createInbox } from '@idempotent-consumers/inbox';\nconst inbox = createInbox({ pool, consumer: 'a' });"), 10, /on the inbox already/],
  ];

  it.each(refused)('%s', async (_, code, line, says) => {
    const root = project({ 'consumer.ts': code });
    const result = await adopt(root, 'consumer.ts:8');
    expect(result).toMatchObject({ code: 1, err: '' });
    const [, place = '', reason = ''] = /In the way:\n {2}(\S+) .*\n {4}(.*)\n$/.exec(result.out) ?? [];
    expect(reason).toMatch(says);
    expect(place).toBe(`consumer.ts:${line}`);
    expect(files(root)).toEqual({ 'consumer.ts': code });
  });
});
