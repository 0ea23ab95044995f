import { nodeId } from '../syntax/ids.js';
import { ts, type CallLike, type FunctionNode, type Node, type SourceFile } from '../syntax/compiler.js';
import { isOwnObject, type Thunk, type Value } from './value.js';

const MAX_DEPTH = 16;
/** Activations that one question may open; past it the rest is taken as unknown. */
const MAX_FRAMES = 12_000;
/** How often a helper that runs what it is given may stand inside of itself. */
const MAX_NESTED = 4;
let nextId = 0;
let left = MAX_FRAMES;

/** Starts a new question: a handler, a registration. */
export function renewFrames(): void {
  left = MAX_FRAMES;
}

/**
 * One activation of a function as far as values are concerned: which arguments its parameters stand for, what `this` is.
 * The frame of a file has no function. A frame without arguments is open: nobody knows who calls.
 */
export class Frame {
  readonly id = nextId++;
  readonly depth: number;
  private readonly children = new Map<string, Frame>();
  private readonly argumentValues = new Map<number, Value>();

  /** The loop of which this is one turn, and the element that it is for. */
  loop: Node | undefined;
  element: Value | undefined;

  constructor(
    readonly source: SourceFile,
    /** The frame of the code around the function. */
    readonly lexical: Frame | undefined,
    readonly fn: FunctionNode | undefined,
    readonly args: readonly Thunk[] | undefined,
    readonly self: Value | undefined,
    /** Where the call stands. */
    readonly caller: Frame | undefined,
    readonly callSite: Node | undefined,
  ) {
    this.depth = caller ? caller.depth + 1 : 0;
  }

  /** One turn of a `for … of`, for one element. */
  static turn(around: Frame, loop: Node, element: Value): Frame {
    const frame = new Frame(around.source, around, undefined, undefined, around.self, around.caller, around.callSite);
    frame.loop = loop;
    frame.element = element;
    return frame;
  }

  /** The frame around here that is a turn of this loop. */
  turnOf(loop: Node): Frame | undefined {
    return this.loop === loop ? this : this.lexical?.turnOf(loop);
  }

  /** The frame of one call made from here; the same call, of the same object's method, gives the same frame. Undefined: too deep, or recursive. */
  enter(call: Node, fn: FunctionNode, lexical: Frame, args: readonly Thunk[] | undefined, self: Value | undefined, label = ''): Frame | undefined {
    const key = `${nodeId(call)}:${nodeId(fn)}:${lexical.id}:${isOwnObject(self) ? self.id : ''}:${label}`;
    let frame = this.children.get(key);
    if (frame) return frame;
    if (this.depth >= MAX_DEPTH || left <= 0 || this.isActive(fn, call)) return undefined;
    left--;
    frame = new Frame(fn.getSourceFile(), lexical, fn, args, self, this, call);
    this.children.set(key, frame);
    return frame;
  }

  argument(index: number): Value | undefined {
    const thunk = this.args?.[index];
    if (!thunk) return undefined;
    let value = this.argumentValues.get(index);
    if (!value) {
      // Guards against an argument that depends on itself.
      this.argumentValues.set(index, { kind: 'unknown' });
      value = thunk();
      this.argumentValues.set(index, value);
    }
    return value;
  }

  /** The frame around here that belongs to this function. */
  frameOf(fn: FunctionNode): Frame | undefined {
    return this.fn === fn ? this : this.lexical?.frameOf(fn);
  }

  key(call: CallLike | Node): string {
    return `${nodeId(call)}@${this.id}`;
  }

  private isActive(fn: FunctionNode, call: Node): boolean {
    const active = this.activations(fn);
    if (active < 2) return false;
    // A function that the call is given as it is written runs as often as the function around it.
    if (this.fn && isGiven(call, fn)) return active >= this.activations(this.fn);
    // `inSpan('book', () => …)` in what another `inSpan` runs is no recursion, but a new piece of work.
    return active >= MAX_NESTED || !isGivenWork(call) || this.activationsBy(call) > 0;
  }

  private activations(fn: FunctionNode): number {
    return (this.fn === fn ? 1 : 0) + (this.caller?.activations(fn) ?? 0);
  }

  private activationsBy(call: Node): number {
    return (this.callSite === call ? 1 : 0) + (this.caller?.activationsBy(call) ?? 0);
  }
}

function isGiven(call: Node, fn: FunctionNode): boolean {
  return ts.isCallExpression(call) && call.arguments.some((a) => a === (fn as Node));
}

/** A call to which a function is given as it is written. */
function isGivenWork(call: Node): boolean {
  return ts.isCallExpression(call) && call.arguments.some((a) => ts.isArrowFunction(a) || ts.isFunctionExpression(a));
}
