/** The errors of the inbox. Each message says what happened and what to do next. */

/** Base class of all errors that the inbox itself throws. A handler's own error is rethrown as it is. */
export class InboxError extends Error {
  override name = this.constructor.name;
}

/** A setting is wrong or contradicts another one. Thrown by `createInbox` and its relatives, before anything runs. */
export class InboxConfigError extends InboxError {}

/** The message cannot be recorded: its id, time or payload is unusable. Thrown before anything runs. */
export class InvalidMessageError extends InboxError {}

/**
 * The handler returned, yet PostgreSQL rolled the transaction back, because a statement had failed and its error was
 * swallowed. Nothing was committed: do not acknowledge. `cause` is the first failed statement's error, where known.
 */
export class RolledBackError extends InboxError {}

/**
 * The connection was lost around COMMIT and the record could not be read back: the effect is either there or not.
 * Do not acknowledge; a redelivery is answered `duplicate` if it is there and processed if it is not.
 */
export class UnknownCommitError extends InboxError {}

/** The connection was lost and the transaction is known to be rolled back. Let the broker deliver again. */
export class ConnectionLostError extends InboxError {}

/** A statement was sent through the handler's handle after its transaction had ended. */
export class RevokedHandleError extends InboxError {}

/** The handler used the handle in a way that would split the record from the effect, such as its own COMMIT. */
export class TransactionControlError extends InboxError {}

/** `inbox.record` or `inbox.fence` ran outside a transaction, or on another connection than the record. */
export class NotInTransactionError extends InboxError {}

/** `inbox.step` was called inside a transaction, or its result cannot be stored. */
export class StepError extends InboxError {}

/** The partition that would hold the message is missing, although the message is young enough. */
export class MissingPartitionError extends InboxError {}

interface DatabaseError {
  code: string;
  severity?: string;
  constraint?: string;
}

/**
 * The server's own answer inside an error, wherever a driver or ORM put it (`cause`, `original`, `parent`, …), or
 * `undefined` if no server answered.
 */
export function databaseError(error: unknown): DatabaseError | undefined {
  let current: unknown = error;
  for (let depth = 0; depth < 8 && typeof current === 'object' && current !== null; depth += 1) {
    const { code, severity } = current as { code?: unknown; severity?: unknown };
    // A socket's error has a code as well (EPIPE is five letters too), but no severity.
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && typeof severity === 'string') {
      return current as DatabaseError;
    }
    const { cause, original, parent, driverError } = current as Record<string, unknown>;
    current = cause ?? original ?? parent ?? driverError;
  }
  return undefined;
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  const code = databaseError(error)?.code;
  return code !== undefined && codes.includes(code);
}

/** Serialization failure or deadlock: the transaction was rolled back and may succeed from the top. */
export function isRetryable(error: unknown): boolean {
  return hasCode(error, '40001', '40P01');
}

// Sessions end with these: shutdown, crash, not yet started, dropped database, idle timeouts, too many connections.
const farewells = /^(08...|57P0[1-5]|25P03|53300|28...)$/;

/** The server said no within a living session: the statement failed, and that is certain. */
export function isDefinite(error: unknown): boolean {
  const answer = databaseError(error);
  return answer !== undefined && !farewells.test(answer.code);
}

/** The session is gone, by the server's farewell or by a broken socket. */
export function isConnectionError(error: unknown): boolean {
  const answer = databaseError(error);
  // The code decides, never the severity: that word is translated by `lc_messages`.
  if (answer) return farewells.test(answer.code);
  const text = error instanceof Error ? `${(error as { code?: string }).code ?? ''} ${error.message}` : '';
  return /ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|Connection terminated|connection.*(closed|ended|timeout)|not queryable|read timeout/i.test(
    text,
  );
}
