/** The other side of every HTTP call: remembers what it was asked for, and answers. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Call } from './protocol.js';

/** Where the call was going before it was led here. */
export const originHeader = 'x-harness-origin';
/** What is to happen to it: `go`, `refused` or `unanswered`. */
export const orderHeader = 'x-harness-order';

export interface HttpCall {
  method: string;
  /** With origin, path and query. */
  url: string;
  headers: Record<string, string>;
  /** Parsed if it is JSON, else text. */
  body: unknown;
  /** The idempotency key, if it has one. */
  key?: string;
}

export interface Answer {
  /** Default: 200. */
  status?: number;
  headers?: Record<string, string>;
  /** A string is sent as it is, anything else as JSON. */
  body?: unknown;
}

/** `undefined` leaves the answer to the harness: 200 and `{"id": "answer-1"}`. */
export type Respond = (call: HttpCall) => Answer | undefined;

const changeless = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
const repeatable = new Set(['PUT', 'DELETE']);

export class Recorder {
  port = 0;
  private readonly server = createServer((request, response) => void this.handle(request, response));
  private remembered = new Map<string, Answer>();
  private count = 0;
  private calls: Call[] = [];

  constructor(
    private readonly keyHeaders: readonly string[],
    private readonly respond: Respond | undefined,
  ) {}

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.port = (this.server.address() as { port: number }).port;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  /** Forgets all: the next run meets a service that has never been called. */
  reset(): void {
    this.remembered = new Map();
    this.count = 0;
    this.calls = [];
  }

  recorded(): Call[] {
    return [...this.calls];
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = this.read(request, await bodyOf(request));
    const order = request.headers[orderHeader];
    if (order === 'refused') return send(response, { status: 503, body: { error: 'refused on purpose by the harness' } });
    const answer = this.answer(call);
    if (!changeless.has(call.method)) {
      const { method, url, body, key } = call;
      this.calls.push({ kind: 'http', name: `${method} ${url}`, body, key, repeatable: repeatable.has(method) });
    }
    if (order === 'unanswered') return void response.destroy();
    send(response, answer);
  }

  private read(request: IncomingMessage, raw: string): HttpCall {
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(request.headers)) {
      if (name !== originHeader && name !== orderHeader) headers[name] = String(value);
    }
    const key = this.keyHeaders.map((name) => headers[name]).find((value) => value !== undefined);
    return {
      method: request.method ?? 'GET',
      url: `${String(request.headers[originHeader])}${request.url ?? '/'}`,
      headers,
      body: parsed(raw),
      key,
    };
  }

  /** A service that honours keys answers a repeated call as it did the first. */
  private answer(call: HttpCall): Answer {
    const known = call.key === undefined ? undefined : `${call.method} ${call.url} ${call.key}`;
    const before = known === undefined ? undefined : this.remembered.get(known);
    if (before) return before;
    if (!changeless.has(call.method)) this.count += 1;
    const answer = this.respond?.(call) ?? { body: { id: `answer-${this.count}` } };
    if (known !== undefined) this.remembered.set(known, answer);
    return answer;
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    // The caller was ended while it sent.
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(raw: string): unknown {
  if (raw === '') return null;
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}

function send(response: ServerResponse, { status = 200, headers = {}, body = {} }: Answer): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json', connection: 'close', ...headers });
  response.end(text);
}
