import type { Library, Registration, ShapeRef } from '../catalog/schema.js';
import type { BoundFunction } from '../infrastructure/function-json.js';
import type { EventSource } from '../infrastructure/infrastructure.js';
import type { Evaluator } from '../origin/evaluate.js';
import type { Frame } from '../origin/frame.js';
import { options, type Args, type Func, type Value } from '../origin/value.js';
import type { CallLike, Node } from '../syntax/compiler.js';

/** A place where a client is told which function handles its messages. */
export interface Registered {
  library: Library;
  registration: Registration;
  /** The call, decorator, class or export that registers. */
  at: Node;
  frame: Frame;
  /** The value given as the handler. */
  handler: Value;
  /** The receive or verifying call, where the function around it is the handler. */
  receive?: CallLike;
  /** For reading options of the registering call. */
  args?: Args;
  /** What acknowledges before the handler runs, where the configuration says so. */
  autoAck?: Node;
  /** The event's type decides; the function need not be registered anywhere. */
  typed?: boolean;
  /** What calls it, where a template of the infrastructure says so. */
  deployed?: readonly EventSource[];
  /** What binds it to its trigger, where the code does not. */
  bound?: BoundFunction;
}

/** An event's registration, for a function that takes the event first. */
export function handling(event: ShapeRef, registration: Registration): Registration {
  return { ...registration, params: [event, ...(registration.params?.slice(1) ?? [])] };
}

/** The functions in a value: itself, or what a wrapping call was given. */
export function handlersIn(e: Evaluator, value: Value, depth = 0): Func[] {
  if (depth > 4) return [];
  return options(value).flatMap((v) => {
    if (v.kind === 'function') return [v];
    if (v.kind === 'derived' && v.operator === 'call') return v.parts.flatMap((p) => handlersIn(e, p, depth + 1));
    if (v.kind === 'library' && v.args) return v.args.nodes.slice(0, 1).flatMap((n) => handlersIn(e, e.evaluate(n, (v.args as Args).frame), depth + 1));
    return [];
  });
}
