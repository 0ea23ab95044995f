/** What the harness and the thread of a delivery say to each other. */
import type { Message } from './scenario.js';

export type EffectKind = 'query' | 'http' | 'publish' | 'ack' | 'nack' | 'custom';

/** Something that changes the world outside of the process: it can be there or not after a crash. */
export interface Effect {
  kind: EffectKind;
  /** In the words of the report: `` `UPDATE accounts` ``, `POST https://mail.example/send`, `the ack`. */
  label: string;
}

/** An effect begins, or it is done and its answer has come. In the order in which the thread saw them. */
export interface Event extends Effect {
  edge: 'start' | 'end';
  /** Count of the effect within the delivery, from 0. */
  effect: number;
}

/** What happens to the delivery on purpose. */
export interface Orders {
  /** Freeze at the event of this number: before the effect begins, or when it is done and before its answer is read. */
  freezeAt?: number;
  /** The effect of this number fails: `refused`, it was not done; `unanswered`, it was done and its answer is lost. */
  fail?: { effect: number; how: 'refused' | 'unanswered' };
}

/** An effect outside of PostgreSQL, as the world remembers it. */
export interface Call {
  kind: 'http' | 'publish' | 'custom';
  /** `POST https://mail.example/send`, `publish to orders` */
  name: string;
  body: unknown;
  /** Calls with the same name and key count as one: the other side recognises them. */
  key?: string;
  /** Repeating it changes nothing by its own definition, as PUT and DELETE. */
  repeatable?: boolean;
}

export interface ThreadData {
  scenario: string;
  /** URLs of modules that make it loadable, by their `register`. */
  loaders: string[];
  /** SharedArrayBuffer of one Int32: 1 lets a frozen thread go on. */
  gate: SharedArrayBuffer;
  recorderPort: number;
  passThrough: string[];
  fakes: Record<string, string>;
  commonjs: boolean;
  seed: number;
  databaseUrl: string;
}

export type ToThread =
  | { type: 'describe' }
  | { type: 'deliver'; message: Message; attempt: number; tag: number; orders: Orders };

export type FromThread =
  | { type: 'described'; message: Message; newer: Message[] }
  | { type: 'ready' }
  | { type: 'event'; event: Event }
  | { type: 'frozen' }
  | { type: 'call'; call: Call }
  | { type: 'settled'; as: Settlement }
  /** The consumer has ended and nothing of it is under way any more. */
  | { type: 'done'; error?: string };

export type Settlement = 'acknowledged' | 'returned' | 'dead-lettered';
