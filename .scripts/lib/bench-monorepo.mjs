// A generated monorepo for the benchmark: packages of plain services, and consumers that reach through a shared bus.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { plain } from './bench-sources.mjs';

const PER_PACKAGE = 250;

/** Writes `files` source files, `handlers` of them with a handler; with `gated`, each of them names a client. */
export function monorepo(folder, { files, handlers, gated = false }) {
  const write = (name, text) => {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  write('package.json', '{ "name": "bench", "private": true, "workspaces": ["packages/*"] }\n');
  write('tsconfig.json', '{ "compilerOptions": { "target": "es2022", "module": "nodenext", "strict": true, "noEmit": true, "skipLibCheck": true } }\n');
  write('packages/bus/package.json', '{ "name": "@bench/bus", "main": "src/index.ts" }\n');
  write('packages/bus/src/index.ts', BUS);
  const perHandler = 3;
  const plainFiles = Math.max(0, files - handlers * perHandler - 1);
  for (let i = 0; i < plainFiles; i += 1) {
    const text = plain(i);
    write(`packages/area-${Math.floor(i / PER_PACKAGE)}/src/${i}.ts`, gated ? `import type { KafkaMessage } from 'kafkajs';\n${text}\nexport type Raw${i} = KafkaMessage;\n` : text);
  }
  for (let i = 0; i < handlers; i += 1) {
    const at = `packages/consumers-${Math.floor(i / 20)}/src/${i}`;
    write(`${at}/register.ts`, register(i));
    write(`${at}/handler.ts`, handler(i));
    write(`${at}/store.ts`, store(i));
  }
}

const BUS = `import { Kafka, type EachMessagePayload } from 'kafkajs';

const kafka = new Kafka({ brokers: ['kafka:9092'] });

export type Handle<T> = (event: T) => Promise<void>;

export async function subscribe<T>(topic: string, handle: Handle<T>): Promise<void> {
  const consumer = kafka.consumer({ groupId: topic });
  await consumer.connect();
  await consumer.subscribe({ topics: [topic] });
  await consumer.run({
    eachMessage: async ({ message }: EachMessagePayload) => {
      await handle(JSON.parse(String(message.value)) as T);
    },
  });
}
`;

function register(i) {
  return `import { subscribe } from '@bench/bus';
import { handleOrder${i} } from './handler';

export async function start(): Promise<void> {
  await subscribe('orders-${i}', handleOrder${i});
}
`;
}

function handler(i) {
  return `import { addTotal, findOrder, markPaid } from './store';

export interface Order${i} {
  id: string;
  customer: string;
  amount: number;
}

export async function handleOrder${i}(event: Order${i}): Promise<void> {
  const order = await findOrder(event.id);
  if (!order) return;
  try {
    await markPaid(event.id);
    await addTotal(event.customer, event.amount);
  } catch (error) {
    console.error('order ${i} failed', error);
    throw error;
  }
}
`;
}

function store(i) {
  return `import { Pool } from 'pg';

const pool = new Pool();

export async function findOrder(id: string): Promise<{ id: string } | undefined> {
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM orders_${i} WHERE id = $1', [id]);
  return rows[0];
}

export async function markPaid(id: string): Promise<void> {
  await pool.query("UPDATE orders_${i} SET status = 'paid' WHERE id = $1", [id]);
}

export async function addTotal(customer: string, amount: number): Promise<void> {
  await pool.query('UPDATE customers SET total = total + $1 WHERE id = $2', [amount, customer]);
}
`;
}
