/**
 * Sees the statements of every PostgreSQL driver in this thread, in the sockets: `pg` in any number of copies, the ORMs
 * on it, postgres.js; over TCP, TLS and Unix sockets. A statement is held where it is written, and its answer where it
 * is read.
 *
 * Source: PostgreSQL manual, 55.2 "Message Flow" and 55.7 "Message Formats": a message is a type byte and a length of
 * four bytes that counts itself, but for the startup message, which has no type.
 */
import { Socket } from 'node:net';
import { begin, waitFor, type Begun } from './effects.js';
import { sqlLabel } from './sql-label.js';

/** Between a request and its ReadyForQuery. */
interface Request {
  begun: Begun[];
}

/** A frame of the protocol: type byte, then payload without the length. */
interface Frame {
  type: string;
  payload: Buffer;
  /** With type and length. */
  whole: Buffer;
}

class Session {
  private readonly statements = new Map<string, string>();
  private readonly portals = new Map<string, string>();
  private open: Request = { begun: [] };
  private readonly requests: Request[] = [];
  private answer: Buffer = Buffer.alloc(0);

  /** `ready` is called when the server takes statements. */
  constructor(private readonly ready: () => void) {}

  /** The frames to send in place of these. */
  write(frames: Frame[]): Buffer {
    return Buffer.concat(frames.map((frame) => this.sent(frame)));
  }

  private sent({ type, payload, whole }: Frame): Buffer {
    switch (type) {
      case 'P': {
        const [name, text] = twoStrings(payload);
        this.statements.set(name, text);
        return whole;
      }
      case 'B': {
        const [portal, name] = twoStrings(payload);
        this.portals.set(portal, this.statements.get(name) ?? '');
        return whole;
      }
      case 'E':
        return this.execution(this.portals.get(twoStrings(payload)[0]) ?? '', whole);
      case 'S':
        this.ends();
        return whole;
      case 'Q': {
        const [text] = twoStrings(payload);
        const failing = this.begins(text);
        this.ends();
        // In its place comes a statement that the server refuses, so that its transaction fails really.
        if (!failing) return whole;
        return frame('Q', `${commit.test(text) ? `ROLLBACK; DO $$BEGIN RAISE EXCEPTION '${injected}'; END$$` : injected}\0`);
      }
      default:
        return whole;
    }
  }

  private execution(text: string, whole: Buffer): Buffer {
    if (!this.begins(text)) return whole;
    const refused = frame('P', `\0${injected}\0\0\0`);
    if (!commit.test(text)) return refused;
    return Buffer.concat([frame('P', '\0ROLLBACK\0\0\0'), frame('B', '\0\0\0\0\0\0\0\0'), frame('E', '\0\0\0\0\0'), refused]);
  }

  /** True if the statement must fail. */
  private begins(text: string): boolean {
    const label = sqlLabel(text);
    if (label === undefined) return false;
    const begun = begin({ kind: 'query', label });
    this.open.begun.push(begun);
    return begun.decision === 'refused';
  }

  private ends(): void {
    this.requests.push(this.open);
    this.open = { begun: [] };
  }

  /** Looks at an answer before the driver does. False if the driver must not get it: the connection is to break here. */
  read(chunk: Buffer): boolean {
    let lost = false;
    this.answer = this.answer.length > 0 ? Buffer.concat([this.answer, chunk]) : chunk;
    for (;;) {
      const length = this.answer.length < 5 ? Infinity : 1 + this.answer.readInt32BE(1);
      if (this.answer.length < length) return !lost;
      const type = this.answer.readUInt8(0);
      // A driver tells of an error as soon as it comes, and of success with ReadyForQuery.
      if (type === error) for (const begun of this.requests[0]?.begun ?? []) begun.end();
      if (type === readyForQuery) {
        this.ready();
        for (const begun of this.requests.shift()?.begun ?? []) {
          begun.end();
          lost ||= begun.decision === 'unanswered';
        }
      }
      this.answer = this.answer.subarray(length);
    }
  }

  closed(): void {
    this.ready();
    for (const { begun } of [...this.requests, this.open]) for (const one of begun) one.end();
  }
}

const error = 'E'.charCodeAt(0);
const readyForQuery = 'Z'.charCodeAt(0);
/** No statement: the server answers with a syntax error that quotes it. */
const injected = 'FAILURE "injected by the harness"';
/** A COMMIT that fails ends its transaction: the server has rolled back by then. */
const commit = /(?:^|;)\s*(?:commit|end)\b/i;

const sessions = new WeakMap<Socket, Session | 'other'>();

/** Call it before anything opens a connection. */
export function interceptPostgres(): void {
  const connect = Socket.prototype.connect as (this: Socket, ...args: unknown[]) => Socket;
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
    const over = waitFor();
    this.once('connect', over).once('close', over);
    return connect.apply(this, args);
  } as Socket['connect'];
  const write = Socket.prototype.write as (this: Socket, ...args: unknown[]) => boolean;
  Socket.prototype.write = function (this: Socket, ...args: unknown[]): boolean {
    const [chunk, ...rest] = args;
    const known = sessions.get(this);
    if (known === 'other' || !(chunk instanceof Uint8Array)) return write.apply(this, args);
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (known) {
      const frames = split(buffer);
      return frames ? write.call(this, known.write(frames), ...rest) : write.apply(this, args);
    }
    const kind = firstMessage(buffer);
    if (kind === 'startup') follow(this);
    else if (kind === 'other') sessions.set(this, 'other');
    return write.apply(this, args);
  } as Socket['write'];
}

function follow(socket: Socket): void {
  const session = new Session(waitFor());
  sessions.set(socket, session);
  // The server's answer to the startup ends in a ReadyForQuery as well.
  session.write([{ type: 'S', payload: Buffer.alloc(0), whole: Buffer.alloc(0) }]);
  const push = socket.push.bind(socket);
  socket.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (!(chunk instanceof Uint8Array) || session.read(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))) {
      return push(chunk, encoding);
    }
    socket.destroy(Object.assign(new Error('read ECONNRESET (the harness lost the answer on purpose)'), { code: 'ECONNRESET' }));
    return false;
  };
  socket.once('close', () => session.closed());
}

/** A startup message for protocol 3, a request for encryption that comes before one, or another protocol. */
function firstMessage(buffer: Buffer): 'startup' | 'request' | 'other' {
  if (buffer.length < 8 || buffer.readInt32BE(0) !== buffer.length) return 'other';
  const code = buffer.readInt32BE(4);
  if (code >>> 16 === 3) return 'startup';
  return code === 80877103 || code === 80877104 ? 'request' : 'other';
}

/** Drivers write whole messages; `undefined` if this is none. */
function split(buffer: Buffer): Frame[] | undefined {
  const frames: Frame[] = [];
  for (let at = 0; at < buffer.length; ) {
    if (at + 5 > buffer.length) return undefined;
    const end = at + 1 + buffer.readInt32BE(at + 1);
    if (end > buffer.length || end < at + 5) return undefined;
    frames.push({ type: String.fromCharCode(buffer.readUInt8(at)), payload: buffer.subarray(at + 5, end), whole: buffer.subarray(at, end) });
    at = end;
  }
  return frames;
}

function frame(type: string, payload: string): Buffer {
  const body = Buffer.from(payload, 'utf8');
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** The null-terminated strings at the beginning; the second is empty if there is one. */
function twoStrings(payload: Buffer): [string, string] {
  const [first = '', second = ''] = payload.toString('utf8').split('\0', 2);
  return [first, second];
}
