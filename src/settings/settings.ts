import type { Stability, WriteKind } from '../model/effect.js';

/** A name of the user's own: from a package, from a file of the project, or from any file of it. */
export interface Named {
  name: string;
  package?: string;
  file?: string;
}

type Argument = number | string;

/** What `settings['idempotent-consumers']` and the config file may hold; see `schema.ts` for what each means. */
export interface Settings {
  handlers?: (Named & { handler?: Argument; message?: number; batch?: boolean; acknowledgement?: 'on-return' | 'explicit' | 'on-delivery' })[];
  acks?: (Named & { message?: Argument; as?: 'ack' | 'nack' })[];
  stores?: (Named & { writes: WriteKind | 'nothing'; table?: Argument; key?: Argument; data?: Argument; transaction?: Argument })[];
  externalEffects?: (Named & { key?: Argument; idempotentBy?: Argument; idempotent?: boolean })[];
  dedupHelpers?: (Named & { key?: Argument; seen?: boolean | string | number | null; fresh?: boolean | string | number | null; records?: boolean; transaction?: Argument })[];
  ids?: Record<string, Exclude<Stability, 'unknown'>>;
  redeliveryHorizons?: Record<string, string>;
  projections?: string[];
}
