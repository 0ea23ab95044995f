/** Sends what is in the outbox. Several relays may run at once; each key is in the hands of one at a time. */
import { InboxConfigError } from './errors.js';
import { schemaSettings, type SchemaOptions, type SchemaSettings } from './options.js';
import { rowsOf, simpleQuery, withClient, type Pool, type PoolClient } from './pool.js';
import { lockKey } from './record.js';
import { interval, literal } from './sql.js';
import { jitter, pause } from './time.js';

export interface OutboxMessage {
  /** Same at every attempt to send. Give it to the broker as the message id, so that consumers can tell duplicates. */
  id: string;
  destination: string;
  /** `undefined` for a message without order. */
  key: string | undefined;
  payload: unknown;
  headers: Record<string, string>;
  createdAt: Date;
  /** Failed attempts before this one. */
  attempts: number;
}

export interface RelayOptions extends Pick<SchemaOptions, 'schema' | 'tables'> {
  pool: Pool;
  /** Resolves once the broker has confirmed. A rejection keeps the message and all later ones of its key. */
  send: (message: OutboxMessage) => Promise<void>;
  /** Keys taken at once. Default: 20. */
  keys?: number;
  /** Messages of a key taken at once. Default: 100. */
  perKey?: number;
  /** Milliseconds between looks at an empty outbox. Default: 500. */
  every?: number;
  /** Milliseconds until a failed key is tried again: doubled with each failure up to 100 times this. Default: 1000. */
  backoff?: number;
  /** Told of each failure to send or to read the outbox. Default: nobody is; the row keeps the last error. */
  onError?: (error: unknown, message?: OutboxMessage) => void;
}

export interface Relay {
  /** One round: resolves to what was sent and what failed. */
  once(): Promise<{ sent: number; failed: number }>;
  /** Rounds until {@link Relay.stop}. Never rejects. */
  run(): Promise<void>;
  /** Resolves when the current round is over. */
  stop(): Promise<void>;
}

/**
 * A relay. Delivery is at least once: a crash between the broker's confirmation and the commit that removes the row
 * sends it again, under the same id.
 */
export function createRelay(options: RelayOptions): Relay {
  if (typeof options.pool?.connect !== 'function') throw new InboxConfigError('pool must be a Pool of pg: new Pool({ … }).');
  if (typeof options.send !== 'function') throw new InboxConfigError('send must be a function that publishes one message.');
  const settings = schemaSettings(options);
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  const once = (): Promise<{ sent: number; failed: number }> =>
    withClient(options.pool, (client) => round(client, settings, options));

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const did = await once().catch((error: unknown) => {
        options.onError?.(error);
        return { sent: 0, failed: 0 };
      });
      if (did.sent === 0) await pause(jitter(options.every ?? 500), stopping.signal);
    }
  };

  return {
    once,
    run: () => (running ??= loop()),
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

interface OutboxRow {
  position: string;
  id: string;
  destination: string;
  key: string;
  payload: string;
  headers: string;
  created_at: number;
  attempts: number;
}

async function round(
  client: PoolClient,
  settings: SchemaSettings,
  options: RelayOptions,
): Promise<{ sent: number; failed: number }> {
  try {
    await simpleQuery(client, 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
    const rows = await claim(client, settings, options);
    const { sent, failures } = await sendAll(rows, options);
    const statements = [
      ...(sent.length > 0 ? [`DELETE FROM ${settings.names.outbox} WHERE position IN (${sent.join(', ')})`] : []),
      ...failures.map(({ row, error }) => failureSql(settings, options, row, error)),
      'COMMIT',
    ];
    await simpleQuery(client, statements.join(';\n'));
    return { sent: sent.length, failed: failures.length };
  } catch (error) {
    await simpleQuery(client, 'ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/**
 * Takes the keys whose first message is due and that no other relay holds, then reads their messages. The reading is
 * a statement of its own, so that it sees what the key's former holder committed.
 */
async function claim(client: PoolClient, settings: SchemaSettings, options: RelayOptions): Promise<OutboxRow[]> {
  const outbox = settings.names.outbox;
  const heads = await simpleQuery(
    client,
    `SELECT destination, key FROM ${outbox} AS head
WHERE available_at <= clock_timestamp()
  AND NOT EXISTS (SELECT FROM ${outbox} AS earlier
    WHERE earlier.destination = head.destination AND earlier.key = head.key AND earlier.position < head.position)
ORDER BY position LIMIT ${(options.keys ?? 20) * 4}`,
  );
  const candidates = rowsOf(heads) as { destination: string; key: string }[];
  if (candidates.length === 0) return [];
  const locks = candidates.map(
    ({ destination, key }, index) => `(${index}, CAST(${lockKey('relay', settings.schema, destination, key)} AS bigint))`,
  );
  // The limit stands outside of the locking, so that keys beyond it are not locked for nothing.
  const locked = await simpleQuery(
    client,
    `SELECT n FROM (VALUES ${locks.join(', ')}) AS candidate (n, lock)
WHERE pg_try_advisory_xact_lock(lock) LIMIT ${options.keys ?? 20}`,
  );
  const mine = new Set(rowsOf(locked).map((row) => Number(row.n)));
  const keys = candidates.filter((_, index) => mine.has(index));
  if (keys.length === 0) return [];
  const wanted = keys.map(({ destination, key }) => `(${literal(destination)}, ${literal(key)})`);
  const result = await simpleQuery(
    client,
    `SELECT CAST(o.position AS text) AS position, CAST(o.id AS text) AS id, o.destination, o.key, o.payload, o.headers,
  CAST(extract(epoch FROM o.created_at) * 1000 AS float8) AS created_at, o.attempts
FROM (VALUES ${wanted.join(', ')}) AS wanted (destination, key)
CROSS JOIN LATERAL (
  SELECT *, first_value(available_at) OVER (ORDER BY position) AS head_available_at
  FROM (SELECT * FROM ${outbox} AS o WHERE o.destination = wanted.destination AND o.key = wanted.key
    ORDER BY position LIMIT ${options.perKey ?? 100}) AS first
) AS o
WHERE o.head_available_at <= clock_timestamp()
ORDER BY o.position`,
  );
  return rowsOf(result) as unknown as OutboxRow[];
}

/** Sends each key's messages one after the other, and the keys side by side. A failure ends its key's turn. */
async function sendAll(
  rows: OutboxRow[],
  options: RelayOptions,
): Promise<{ sent: string[]; failures: { row: OutboxRow; error: unknown }[] }> {
  const queues = new Map<string, OutboxRow[]>();
  for (const row of rows) {
    const queue = JSON.stringify([row.destination, row.key]);
    queues.set(queue, [...(queues.get(queue) ?? []), row]);
  }
  const sent: string[] = [];
  const failures: { row: OutboxRow; error: unknown }[] = [];
  await Promise.all(
    [...queues.values()].map(async (queue) => {
      for (const row of queue) {
        const message = outboxMessage(row);
        try {
          await options.send(message);
          sent.push(row.position);
        } catch (error) {
          failures.push({ row, error });
          options.onError?.(error, message);
          return;
        }
      }
    }),
  );
  return { sent, failures };
}

function outboxMessage(row: OutboxRow): OutboxMessage {
  return {
    id: row.id,
    destination: row.destination,
    key: row.key.startsWith('\u0001') ? undefined : row.key,
    payload: JSON.parse(row.payload) as unknown,
    headers: JSON.parse(row.headers) as Record<string, string>,
    createdAt: new Date(Number(row.created_at)),
    attempts: Number(row.attempts),
  };
}

function failureSql(settings: SchemaSettings, options: RelayOptions, row: OutboxRow, error: unknown): string {
  const wait = (options.backoff ?? 1000) * Math.min(2 ** Number(row.attempts), 100);
  const text = String(error).slice(0, 2000).replaceAll('\0', '').toWellFormed();
  return `UPDATE ${settings.names.outbox} SET attempts = attempts + 1, last_error = ${literal(text)},
  available_at = clock_timestamp() + ${interval(wait)} WHERE position = ${row.position}`;
}
