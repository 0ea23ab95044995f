/** Messages that leave because a message was handled: written in its transaction, sent after its commit. */
import { InvalidMessageError } from './errors.js';
import type { Executor } from './executor.js';
import { checkText, derivedUuid, type Checked } from './message.js';
import type { Settings } from './options.js';
import { lockKey } from './record.js';
import { literal } from './sql.js';
import { simpleQuery } from './pool.js';
import type { Enqueue, EnqueueOptions } from './transaction.js';

/** Enqueues on behalf of one message, numbering what it enqueues. */
export function enqueuer<In>(settings: Settings<In>, checked: Pick<Checked, 'tenant' | 'id'>): Enqueue {
  let count = 0;
  return async (client, destination, payload, options) => {
    const id = options.id ?? outboxId(settings, checked, (count += 1));
    await simpleQuery(client, enqueueSql(settings, id, destination, payload, options));
    return id;
  };
}

/** The id of the `count`-th message that the handling of a message enqueues. */
export function outboxId<In>(settings: Settings<In>, checked: Pick<Checked, 'tenant' | 'id'>, count: number): string {
  return derivedUuid('outbox', settings.consumer, checked.tenant, checked.id, String(count));
}

export async function enqueueWith<In>(
  settings: Settings<In>,
  execute: Executor,
  id: string,
  destination: string,
  payload: unknown,
  options: EnqueueOptions,
): Promise<void> {
  await execute(enqueueSql(settings, id, destination, payload, options));
}

/**
 * With a key, the insert first takes a lock on destination and key until the end of the transaction. Otherwise two
 * transactions could commit in another order than they drew their positions, and the relay would send the later first.
 */
function enqueueSql<In>(
  settings: Settings<In>,
  id: string,
  destination: string,
  payload: unknown,
  options: EnqueueOptions,
): string {
  checkText(destination, 'destination');
  if (options.key !== undefined) checkText(options.key, 'key');
  const json = JSON.stringify(payload);
  if (json === undefined) {
    throw new InvalidMessageError(`A payload of type ${typeof payload} is no JSON. Pass null for a message without one.`);
  }
  const values = [
    `CAST(${literal(id)} AS uuid)`,
    literal(destination),
    // Without a key each message is a queue of its own.
    literal(options.key === undefined ? `\u0001${id}` : options.key),
    literal(json.toWellFormed()),
    literal(JSON.stringify(options.headers ?? {})),
  ];
  const lock =
    options.key === undefined
      ? 'SELECT 1'
      : `SELECT pg_advisory_xact_lock(${lockKey('enqueue', settings.schema, destination, options.key)})`;
  return `WITH locked AS MATERIALIZED (${lock})
INSERT INTO ${settings.names.outbox} (id, destination, key, payload, headers)
SELECT ${values.join(', ')} FROM locked`;
}
