import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { HandlerReport } from '../model/handler.js';
import { run } from '../run.js';
import { UserError } from '../syntax/files.js';
import { readSettings } from './read.js';
import type { Settings } from './settings.js';

const folders: string[] = [];
afterAll(() => folders.forEach((f) => rmSync(f, { recursive: true, force: true })));

/** The handlers of a small program, under these settings. */
function handlers(files: Record<string, string>, settings: Settings, preset: 'recommended' | 'strict' = 'recommended'): HandlerReport[] {
  const root = mkdtempSync(join(tmpdir(), 'settings-'));
  folders.push(root);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const report = run({ root, preset, ...readSettings(settings), debug: true });
  expect(report.problems).toEqual([]);
  return report.handlers;
}

function summary(list: readonly HandlerReport[]): string[] {
  return list.map((h) => `${h.name} (${h.client}): ${h.findings.map((f) => f.rule).join(', ')}`);
}

const counted = `
  await pool.query('UPDATE accounts SET balance = balance + $1 WHERE id = $2', [message.amount, message.account]);
`;
const consumer = (body: string, head = ''): string => `
import { Kafka } from 'kafkajs';
import { Pool } from 'pg';
${head}
const pool = new Pool();
const consumer = new Kafka({ brokers: [] }).consumer({ groupId: 'bank' });
await consumer.run({
  eachMessage: async ({ message: raw }) => {
    const message = JSON.parse(raw.value.toString());
    ${body}
  },
});
`;

describe('handlers', () => {
  const body = `async (message) => { ${counted} }`;
  const head = "import { Pool } from 'pg';\nconst pool = new Pool();\n";

  it('knows a method of a class of a package', () => {
    const files = { 'main.ts': `${head}import { Bus } from '@acme/bus';\nconst bus = new Bus();\nbus.subscribe('deposits', ${body});` };
    expect(handlers(files, {})).toEqual([]);
    expect(summary(handlers(files, { handlers: [{ package: '@acme/bus', name: 'Bus.subscribe', handler: 1 }] }))).toEqual(['(anonymous) (@acme/bus): no-delta-write']);
  });

  it('knows a method of what a function of a package gives, injected by type', () => {
    const settings: Settings = { handlers: [{ package: '@acme/bus', name: 'createBus().on', handler: 1 }, { package: '@acme/bus', name: 'Bus.on', handler: 1 }] };
    expect(summary(handlers({ 'main.ts': `${head}import { createBus } from '@acme/bus';\nconst bus = createBus();\nbus.on('deposits', ${body});` }, settings))).toHaveLength(1);
    expect(summary(handlers({ 'main.ts': `${head}import type { Bus } from '@acme/bus';\nexport class Deposits { constructor(private bus: Bus) {} start() { this.bus.on('deposits', ${body}); } }` }, settings))).toHaveLength(1);
  });

  it('knows a function of a file of the project, whatever its body does', () => {
    const files = {
      'src/bus.ts': "export function subscribe(topic: string, handler: (m: unknown) => Promise<void>) { (globalThis as any).registry[topic] = handler; }",
      'src/main.ts': `${head}import { subscribe } from './bus.js';\nsubscribe('deposits', ${body});`,
      'src/other.ts': 'export function subscribe(): void {}',
    };
    expect(handlers(files, {})).toEqual([]);
    expect(summary(handlers(files, { handlers: [{ file: 'src/bus.ts', name: 'subscribe', handler: 1 }] }))).toEqual(['(anonymous) (subscribe): no-delta-write']);
    expect(handlers(files, { handlers: [{ file: 'src/other.ts', name: 'subscribe', handler: 1 }] })).toEqual([]);
    expect(handlers(files, { handlers: [{ name: 'subscribe', handler: 1 }] })).toHaveLength(1);
  });

  it('knows a method of a class of the project, of its subclasses, and of an object', () => {
    const settings: Settings = { handlers: [{ name: 'Bus.subscribe', handler: 1 }, { name: 'bus.listen', handler: 1 }] };
    const files = {
      'bus.ts': `export abstract class Bus { subscribe(topic: string, h: unknown) {} }\nexport class MemoryBus extends Bus { override subscribe(topic: string, h: unknown) {} }\nexport const bus = { listen: (topic: string, h: unknown) => {} };`,
      'main.ts': `${head}import { bus, MemoryBus } from './bus.js';\nnew MemoryBus().subscribe('a', ${body});\nbus.listen('b', ${body});`,
    };
    expect(handlers(files, {})).toEqual([]);
    expect(summary(handlers(files, settings))).toEqual(['(anonymous) (Bus.subscribe): no-delta-write', '(anonymous) (bus.listen): no-delta-write']);
  });

  it('takes the word of the settings over what it infers of the wrapper', () => {
    const files = {
      'bus.ts': `import { Kafka } from 'kafkajs';\nconst consumer = new Kafka({ brokers: [] }).consumer({ groupId: 'x' });\nexport async function subscribe(h: any) { await consumer.run({ eachMessage: async ({ message }) => { await h(message); } }); }`,
      'main.ts': `${head}import { subscribe } from './bus.js';\nawait subscribe(${body});`,
    };
    expect(summary(handlers(files, {}))).toEqual(['(anonymous) (kafkajs): no-delta-write']);
    expect(summary(handlers(files, { handlers: [{ name: 'subscribe' }] }))).toEqual(['(anonymous) (subscribe): no-delta-write']);
  });

  it('knows a decorator, and the message by its position', () => {
    const files = {
      'on.ts': 'export function OnMessage(topic: string): MethodDecorator { return () => {}; }',
      'deposits.ts': `${head}import { OnMessage } from './on.js';\nexport class Deposits { @OnMessage('deposits') async apply(topic: string, message: any) { ${counted} } }`,
    };
    expect(handlers(files, {})).toEqual([]);
    expect(summary(handlers(files, { handlers: [{ name: '@OnMessage', message: 1 }] }))).toEqual(['apply (@OnMessage): no-delta-write']);
  });

  it('knows what acknowledges', () => {
    const files = { 'main.ts': `${head}import { subscribe } from '@acme/bus';\nsubscribe(${body});` };
    const acknowledgement = (a: 'on-return' | 'on-delivery'): string | undefined => handlers(files, { handlers: [{ package: '@acme/bus', name: 'subscribe', acknowledgement: a }] })[0]?.acknowledgement;
    expect(acknowledgement('on-return')).toBe('on-return');
    expect(acknowledgement('on-delivery')).toBe('on-delivery');
  });

  it('adds to what is known of a package', () => {
    const files = { 'main.ts': consumer(counted, "import { Kafka as K } from 'kafkajs';\nnew K({}).listen(async (message) => { await pool.query('UPDATE a SET n = n + 1'); });") };
    expect(handlers(files, {})).toHaveLength(1);
    expect(summary(handlers(files, { handlers: [{ package: 'kafkajs', name: 'Kafka.listen' }] }))).toEqual(['(anonymous) (kafkajs): no-delta-write', 'eachMessage (kafkajs): no-delta-write']);
  });
});

describe('acks', () => {
  it('knows what acknowledges a message', () => {
    const files = {
      'main.ts': `import { Pool } from 'pg';\nimport { subscribe, done } from '@acme/bus';\nconst pool = new Pool();
subscribe(async (message) => { done(message); await pool.query('UPDATE a SET state = $1 WHERE id = $2', [message.state, message.id]); });`,
    };
    const registers = { handlers: [{ package: '@acme/bus', name: 'subscribe', acknowledgement: 'explicit' as const }] };
    expect(summary(handlers(files, registers))).toEqual(['(anonymous) (@acme/bus): ']);
    expect(summary(handlers(files, { ...registers, acks: [{ package: '@acme/bus', name: 'done' }] }))).toEqual(['(anonymous) (@acme/bus): ack-after-commit']);
    expect(summary(handlers(files, { ...registers, acks: [{ package: '@acme/bus', name: 'done', as: 'nack' }] }))).toEqual(['(anonymous) (@acme/bus): ']);
  });
});

describe('stores', () => {
  it('knows what a write does', () => {
    const files = { 'main.ts': consumer("await ledger.add('deposits', message.account, message.amount);", "import { ledger } from '@acme/ledger';") };
    expect(summary(handlers(files, {}))).toEqual(['eachMessage (kafkajs): ']);
    expect(summary(handlers(files, { stores: [{ package: '@acme/ledger', name: 'ledger.add', writes: 'delta', table: 0, key: 1 }] }))).toEqual(['eachMessage (kafkajs): no-delta-write']);
    expect(handlers(files, { stores: [{ package: '@acme/ledger', name: 'ledger.add', writes: 'upsert', table: 0, key: 1 }] })[0]?.timeline[0]).toMatchObject({ kind: 'write', writeKind: 'upsert' });
  });
});

describe('externalEffects', () => {
  const files = { 'main.ts': consumer('await sms(message.phone, { id: message.id });\nawait sms(message.other, { id: message.id });', "import { sms } from './sms.js';"), 'sms.ts': 'export async function sms(to: string, o: object) { (globalThis as any).modem(to, o); }' };

  it('knows what leaves the process', () => {
    expect(summary(handlers(files, {}))).toEqual(['eachMessage (kafkajs): ']);
    expect(summary(handlers(files, { externalEffects: [{ file: 'sms.ts', name: 'sms' }] }))).toEqual(['eachMessage (kafkajs): single-external-effect']);
    expect(summary(handlers(files, { externalEffects: [{ file: 'sms.ts', name: 'sms', idempotent: true }] }))).toEqual(['eachMessage (kafkajs): ']);
  });

  it('knows where the key goes', () => {
    const minted = { ...files, 'main.ts': consumer('await sms(message.phone, { id: randomUUID() });', "import { sms } from './sms.js';\nimport { randomUUID } from 'node:crypto';") };
    expect(summary(handlers(minted, { externalEffects: [{ name: 'sms' }] }))).toEqual(['eachMessage (kafkajs): ']);
    expect(summary(handlers(minted, { externalEffects: [{ name: 'sms', key: '1.id' }] }))).toEqual(['eachMessage (kafkajs): no-delivery-id-dedupe']);
  });
});

describe('dedupHelpers', () => {
  it('knows what tells a repeat', () => {
    const files = { 'main.ts': consumer(`if (await isRepeat(message.id)) return;\n${counted}`, "import { isRepeat } from '@acme/dedup';") };
    expect(summary(handlers(files, {}))).toEqual(['eachMessage (kafkajs): no-delta-write']);
    expect(summary(handlers(files, { dedupHelpers: [{ package: '@acme/dedup', name: 'isRepeat' }] }))).toEqual(['eachMessage (kafkajs): atomic-inbox']);
  });

  it('knows that it runs in the transaction of the effect, and what it answers', () => {
    const files = {
      'main.ts': consumer(`const client = await pool.connect(); try { await client.query('BEGIN'); if ((await claim(client, message.id)) === 'fresh') { ${counted.replace('pool.', 'client.')} } await client.query('COMMIT'); } catch (e) { await client.query('ROLLBACK'); throw e; } finally { client.release(); }`, "import { claim } from '@acme/dedup';"),
    };
    expect(summary(handlers(files, {}))).toEqual(['eachMessage (kafkajs): no-delta-write']);
    expect(summary(handlers(files, { dedupHelpers: [{ package: '@acme/dedup', name: 'claim', key: 1, fresh: 'fresh', seen: 'repeat', transaction: 0 }] }))).toEqual(['eachMessage (kafkajs): ']);
  });
});

describe('ids', () => {
  it('knows how stable a property of the message is', () => {
    const files = { 'main.ts': consumer("await stripe.charges.create({ amount: 1, currency: 'eur' }, { idempotencyKey: message.meta.attempt });", "import Stripe from 'stripe';\nconst stripe = new Stripe('sk');") };
    expect(summary(handlers(files, {}))).toEqual(['eachMessage (kafkajs): ']);
    expect(summary(handlers(files, { ids: { 'meta.attempt': 'delivery' } }))).toEqual(['eachMessage (kafkajs): no-delivery-id-dedupe']);
    expect(summary(handlers(files, { ids: { 'other.attempt': 'delivery' } }))).toEqual(['eachMessage (kafkajs): ']);
  });
});

describe('projections', () => {
  it('asks no inbox of what is rebuilt by replay', () => {
    const files = { 'src/totals.ts': consumer(counted) };
    expect(summary(handlers(files, {}))).toEqual(['eachMessage (kafkajs): no-delta-write']);
    for (const projections of [['eachMessage'], ['src/totals.ts'], ['src']]) expect(summary(handlers(files, { projections }))).toEqual(['eachMessage (kafkajs): ']);
    expect(summary(handlers(files, { projections: ['tot'] }))).toHaveLength(1);
  });
});

describe('redeliveryHorizons', () => {
  it('are handed on in milliseconds', () => {
    expect(readSettings({ redeliveryHorizons: { '@aws-sdk/client-sqs': '14d', kafkajs: '36 h', bullmq: '1.5s' } }).redeliveryHorizons).toEqual({ '@aws-sdk/client-sqs': 1_209_600_000, kafkajs: 129_600_000, bullmq: 1500 });
  });
});

describe('an error in the settings', () => {
  function message(value: unknown, where?: string): string {
    try {
      readSettings(value, where);
    } catch (error) {
      expect(error).toBeInstanceOf(UserError);
      return (error as Error).message;
    }
    throw new Error('no error');
  }

  it.each<[string, unknown, string]>([
    ['no object', [], "settings['idempotent-consumers']: [] is not of type object."],
    ['an unknown key', { handler: [] }, 'unknown key "handler" with the value []. Known keys: handlers, acks,'],
    ['an unknown key further down', { acks: [{ name: 'done', mesage: 1 }] }, 'acks[0]: unknown key "mesage" with the value 1. Known keys: name, package, file, message, as.'],
    ['a value that is not in a list', { handlers: [{ name: 'a' }, { name: 'on', acknowledgement: 'later' }] }, 'handlers[1].acknowledgement: "later" is none of "on-return", "explicit", "on-delivery".'],
    ['a missing key', { stores: [{ name: 'add' }] }, 'stores[0]: "writes" is missing in {"name":"add"}.'],
    ['a wrong type', { projections: 'totals' }, 'projections: "totals" is not a list.'],
    ['a name that is none', { externalEffects: [{ name: 'send mail' }] }, 'externalEffects[0].name: "send mail" is not possible here. Expected: name of a function'],
    ['an argument that is none', { acks: [{ name: 'done', message: -1 }] }, 'acks[0].message: -1 is not possible here. Expected: the message, or what names it.'],
    ['both package and file', { acks: [{ name: 'done', package: 'a', file: 'b' }] }, 'acks[0]: give "package" or "file", not both'],
    ['a stability that is none', { ids: { attempt: 'shaky' } }, 'ids.attempt: "shaky" is none of "producer-stable"'],
    ['a horizon without unit', { redeliveryHorizons: { bullmq: '14' } }, 'redeliveryHorizons.bullmq: "14" is not possible here.'],
  ])('names key and value: %s', (_, value, expected) => {
    expect(message(value)).toContain(expected);
  });

  it('names the file', () => {
    expect(message({ a: 1 }, 'my.config.json')).toMatch(/^my\.config\.json: unknown key "a"/);
  });
});
