import type { InboxFacts } from '../catalog/schema.js';
import type { Effect } from '../model/effect.js';
import { argument, argumentNode, paramValue } from '../origin/library.js';
import { options, type Args, type Func, type LibraryValue, type Thunk, type Value } from '../origin/value.js';
import type { CallLike } from '../syntax/compiler.js';
import { callName } from './effects.js';
import type { Task } from './ir.js';
import type { Lowering, Scope } from './lower.js';

/** The inbox's own name for where its records are; what it is called in the database is a setting. */
export const INBOX_TABLE = 'inbox.processed';

/**
 * A call of the inbox: its record is an insert that a repeat skips, and only a new message reaches the work. Record and work
 * are of one transaction, the inbox's own or the caller's.
 */
export function lowerInbox(l: Lowering, facts: InboxFacts, callee: LibraryValue, node: CallLike, args: Args, scope: Scope, next: number, throws: number, task: Task | undefined): number {
  const key = scope.frame.key(node);
  const place = l.place(node);
  const name = callName(node);
  const joined = facts.transaction === undefined ? undefined : argument(l.e, args, facts.transaction, callee);
  const own = facts.transaction === undefined;
  const handle = own ? `tx:${key}:0` : options(joined ?? { kind: 'unknown' }).find((v): v is LibraryValue => v.kind === 'library')?.root;
  const done = own && handle !== undefined ? l.node({ kind: 'commit', handle, place, broker: false, name }, [next], throws) : next;
  const failed = own && handle !== undefined ? l.node({ kind: 'rollback', handle, place, broker: false, name }, [throws]) : throws;
  const work = options(argument(l.e, args, facts.work, callee) ?? { kind: 'unknown' }).filter((v): v is Func => v.kind === 'function');
  const params = (facts.params ?? []).map((p, i): Thunk => () => paramValue(l.e, callee, p, key, i === 0 && handle !== undefined ? handle : `tx:${key}:${i}`));
  const fresh = work.length > 0 ? l.choice(work.map((fn) => l.inline(fn, node, scope, params, done, failed, { task, resultTask: task, label: 'inbox' }))) : done;
  const call = `${key}:record`;
  const isNew: Value = { kind: 'derived', operator: 'inbox', parts: [], call };
  const asked = work.length > 0 ? l.branch(isNew, node, scope, fresh, done) : done;
  const effect: Effect = { kind: 'write', writeKind: 'insert-or-ignore', library: callee.library.name, name, place, table: INBOX_TABLE, ...(handle !== undefined && { handle }), keys: keysOf(l, facts, callee, args), failure: 'throws' };
  const record = l.node({ kind: 'effect', effect, call, task, inputs: [], result: { fresh: { '': true }, duplicate: { '': false } } }, [asked], failed);
  return own && handle !== undefined ? l.node({ kind: 'begin', handle, place, broker: false, name }, [record], throws) : record;
}

function keysOf(l: Lowering, facts: InboxFacts, callee: LibraryValue, args: Args): Effect['keys'] {
  const id = argument(l.e, args, `${facts.message}.id`, callee);
  const at = argumentNode(args, `${facts.message}.id`) ?? argumentNode(args, facts.message);
  return id && at ? [l.effects.key('id', id, at)] : [];
}
