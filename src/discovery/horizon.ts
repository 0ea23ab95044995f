import { SQS, defaultHorizon, type Horizon } from '../catalog/horizons.js';
import type { Infrastructure, Resource } from '../infrastructure/infrastructure.js';
import { inWords } from '../model/duration.js';
import type { ProgramIndex } from './program-index.js';
import type { Registered } from './registered.js';

export type { Horizon };

/** For how long after its first delivery a message of this handler can come again; undefined where nobody can tell. */
export function horizonOf({ library, registration, deployed }: Registered, index: ProgramIndex, infrastructure: Infrastructure, settings: Readonly<Record<string, number>> = {}): Horizon | undefined {
  const set = settings[library.name];
  if (set !== undefined) return { ms: set, says: `the settings give ${library.name} that long` };
  const horizon = defaultHorizon(library.name, registration.source);
  if (!horizon) return undefined;
  const sources = deployed?.flatMap((s) => s.from ?? []) ?? [];
  if (horizon === SQS) return ofQueues(sources.length ? sources : infrastructure.resources('AWS::SQS::Queue'), horizon);
  if (registration.source === 'Kinesis' && sources.length) return ofStreams(sources, horizon);
  return horizon.unless?.some((word) => index.mentions(word)) ? undefined : horizon;
}

/** Where it is not known which of several queues it is, the shortest retention is all that can be said. */
function ofQueues(queues: readonly Resource[], otherwise: Horizon): Horizon | undefined {
  // Dead letters come from another queue.
  const own = queues.filter((q) => !/dlq|dead|redrive/i.test(`${q.id} ${String(q.properties.QueueName)}`));
  if (own.length === 0) return otherwise;
  const kept = own.map((q) => q.properties.MessageRetentionPeriod ?? otherwise.ms / 1000);
  if (kept.some((k) => typeof k !== 'number' && !/^\d+$/.test(String(k)))) return undefined;
  const ms = Math.min(...kept.map(Number)) * 1000;
  return ms === otherwise.ms ? otherwise : { ms, says: `the queue keeps a message for ${inWords(ms)}` };
}

function ofStreams(streams: readonly Resource[], otherwise: Horizon): Horizon | undefined {
  const hours = streams.map((s) => s.properties.RetentionPeriodHours).filter((h) => typeof h === 'number');
  const ms = Math.min(...hours) * 3_600_000;
  return hours.length === 0 || ms === otherwise.ms ? otherwise : { ms, says: `the stream keeps a record for ${inWords(ms)}` };
}
