/** The thread in which deliveries run, and which ends in a crash. It stands for a process of the user's. */
import Module, { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { seedThread } from './chance.js';
import { consumerOf, delivery, hasConsumer, Settling, subscribe } from './delivery.js';
import { arm, connect, quiet } from './effects.js';
import { interceptHttp } from './intercept-http.js';
import { interceptPostgres } from './intercept-postgres.js';
import type { FromThread, ThreadData, ToThread } from './protocol.js';
import type { Scenario } from './scenario.js';

/** How long the consumer may go on after it has returned, in milliseconds. */
const restWithin = 5000;
/** How long after its return an acknowledgement may come, in milliseconds. */
const settleWithin = 500;

const data = workerData as ThreadData;
if (!parentPort) throw new Error('This module is the inside of a thread of the harness; import the package instead.');
const port = parentPort;
const post = (message: FromThread): void => port.postMessage(message);

seedThread(data.seed);
interceptPostgres();
interceptHttp({ recorderPort: data.recorderPort, passThrough: new Set(data.passThrough) });
// The loader's thread takes as long to start as all the rest.
if (!data.commonjs) register('./fakes-hook.js', import.meta.url, { data: data.fakes });
replaceRequired(data.fakes);
connect({ post, gate: new Int32Array(data.gate) });

/** The same as the hook, for `require`. */
function replaceRequired(fakes: Record<string, string>): void {
  const module = Module as unknown as { _resolveFilename: (request: string, ...rest: unknown[]) => string };
  const resolve = module._resolveFilename;
  module._resolveFilename = (request, ...rest) => {
    const fake = fakes[request];
    return fake === undefined ? resolve(request, ...rest) : fileURLToPath(fake);
  };
}

let loading: Promise<Scenario> | undefined;
const load = (): Promise<Scenario> => (loading ??= loadScenario());

async function loadScenario(): Promise<Scenario> {
  for (const loader of data.loaders) ((await import(loader)) as { register(): unknown }).register();
  const module = (await import(data.scenario)) as Scenario & { default?: Scenario };
  const scenario = module.message ? module : (module.default ?? module);
  if (!scenario.message) throw new Error(`${data.scenario} does not export a message.`);
  return scenario;
}

async function describe(): Promise<void> {
  const scenario = await load();
  const { setup, message, newer = [] } = scenario;
  if (setup !== undefined) {
    const client = new pg.Client({ connectionString: data.databaseUrl });
    await client.connect();
    try {
      if (typeof setup === 'string') await client.query(setup);
      else await setup(client);
    } finally {
      await client.end();
    }
  }
  post({ type: 'described', message, newer });
}

let started: Promise<void> | undefined;

async function start(): Promise<void> {
  const scenario = await load();
  const { consume, acknowledge = 'call' } = scenario;
  if (consume) subscribe({ acknowledge, consume: (one) => consume(one) });
  // Some never return: they loop over the messages of their subscription.
  void Promise.resolve(scenario.start?.()).catch((error: unknown) => {
    throw error;
  });
  // It may have to connect first.
  for (let waited = 0; !hasConsumer() && waited < restWithin; waited += 10) await new Promise((resolve) => setTimeout(resolve, 10));
  await quiet(restWithin);
}

async function deliver({ message, attempt, tag, orders }: Extract<ToThread, { type: 'deliver' }>): Promise<void> {
  await (started ??= start());
  const consumer = consumerOf(message);
  const settling = new Settling((as) => post({ type: 'settled', as }));
  arm(orders);
  let failure: { error: unknown } | undefined;
  try {
    await consumer.consume(delivery(message, attempt, tag, settling));
    if (consumer.acknowledge === 'return') settling.ack();
  } catch (error) {
    failure = { error };
  }
  await quiet(restWithin);
  // An acknowledgement may be under way in a timer.
  for (let waited = 0; consumer.acknowledge === 'call' && !failure && !settling.settled && waited < settleWithin; waited += 20) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (settling.settled) await quiet(restWithin);
  }
  post({ type: 'done', ...(failure ? { error: describeError(failure.error) } : {}) });
}

function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

port.on('message', (order: ToThread) => {
  const work = order.type === 'describe' ? describe() : deliver(order);
  // An error of the harness or of the scenario ends the thread, with its message.
  work.catch((error: unknown) => {
    setImmediate(() => {
      throw error;
    });
  });
});
post({ type: 'ready' });
