export { createInbox, Inbox } from './inbox.js';
export { days, type InboxOptions, type InFlightPolicy, type PoisonOptions, type Retention, type SchemaOptions, type TableNames } from './options.js';
export type { Message, IdType } from './message.js';
export { settlement, type BatchOutcome, type Outcome } from './outcome.js';
export type { RecordOutcome } from './join.js';
export type { Handler, ProcessOptions } from './process.js';
export type { BatchHandler } from './batch.js';
export type { Effect } from './statement.js';
export type { Gate } from './record.js';
export { upsertIfNewer, type ColumnValue, type VersionedRow } from './gate.js';
export type { Stored } from './steps.js';
export type { EnqueueOptions, Transaction } from './transaction.js';
export { createRelay, type OutboxMessage, type Relay, type RelayOptions } from './relay.js';
export type { ParkedMessage, Parking } from './attempts.js';
export type { PruneOptions, PruneResult } from './prune.js';
export type { MaintenanceResult } from './partitions.js';
export type { Problem } from './migrate.js';
export { schemaSql } from './schema.js';
export type { Pool, PoolClient, QueryResult } from './pool.js';
export { poolOfKnex, poolOfTypeOrm } from './pools.js';
export {
  fromDrizzle,
  fromKnex,
  fromKysely,
  fromMikroOrm,
  fromPg,
  fromPostgresJs,
  fromPrisma,
  fromSequelize,
  fromTypeOrm,
  type Executor,
  type Queryable,
  type Row,
} from './executor.js';
export {
  ConnectionLostError,
  InboxConfigError,
  InboxError,
  InvalidMessageError,
  MissingPartitionError,
  NotInTransactionError,
  RevokedHandleError,
  RolledBackError,
  StepError,
  TransactionControlError,
  UnknownCommitError,
} from './errors.js';
