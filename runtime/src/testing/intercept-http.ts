/**
 * Leads the HTTP calls of this thread to the recorder of the harness: `http` and `https` with all that stands on them,
 * the global `fetch`, and undici. A call that changes something is an effect; one that reads is answered and forgotten.
 */
import { EventEmitter } from 'node:events';
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { Readable } from 'node:stream';
import { begin } from './effects.js';
import { orderHeader, originHeader } from './recorder.js';

const reads = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

interface Target {
  recorderPort: number;
  /** `host:port` that is really called. */
  passThrough: ReadonlySet<string>;
}

/** Call it before anything holds a reference to `http.request`. */
export function interceptHttp(target: Target): void {
  const request = http.request;
  for (const [module, protocol] of [
    [http, 'http:'],
    [https, 'https:'],
  ] as const) {
    const original = module.request;
    const replaced = (...args: unknown[]): ClientRequest => {
      const { options, callback } = normalized(args, protocol);
      const origin = originOf(options, protocol);
      if (target.passThrough.has(new URL(origin).host)) return (original as (...a: unknown[]) => ClientRequest)(...args);
      return redirected(request, target.recorderPort, options, origin, callback);
    };
    const get = (...args: unknown[]): ClientRequest => {
      const call = replaced(...args);
      call.end();
      return call;
    };
    Object.assign(module, { request: replaced, get });
  }
  syncBuiltinESMExports();
  // Node's own fetch and the package undici look for their dispatcher under this symbol.
  Object.assign(globalThis, { [Symbol.for('undici.globalDispatcher.1')]: new Dispatcher() });
}

type Callback = (response: IncomingMessage) => void;

/** The three forms of `http.request(url?, options?, callback?)` as one. */
function normalized(args: unknown[], protocol: string): { options: RequestOptions; callback: Callback | undefined } {
  const rest = [...args];
  const callback = typeof rest.at(-1) === 'function' ? (rest.pop() as Callback) : undefined;
  let options: RequestOptions = {};
  for (const part of rest) {
    if (typeof part === 'string' || part instanceof URL) {
      const url = new URL(part);
      options = { protocol: url.protocol, hostname: url.hostname.replace(/^\[|\]$/g, ''), port: url.port, path: `${url.pathname}${url.search}` };
      if (url.username) options.auth = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    } else if (part && typeof part === 'object') {
      // Options may be an object with getters or a prototype, as that of an agent or of axios.
      options = { ...options, ...(part as RequestOptions) };
    }
  }
  options.protocol ??= protocol;
  return { options, callback };
}

function originOf(options: RequestOptions, protocol: string): string {
  const scheme = options.protocol ?? protocol;
  const host = String(options.hostname ?? options.host ?? 'localhost');
  const port = options.port ?? options.defaultPort;
  return new URL(`${scheme}//${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}${port ? `:${port}` : ''}`).origin;
}

function redirected(
  request: typeof http.request,
  recorderPort: number,
  options: RequestOptions,
  origin: string,
  callback: Callback | undefined,
): ClientRequest {
  const method = (options.method ?? 'GET').toUpperCase();
  const path = options.path ?? '/';
  const begun = reads.has(method) ? undefined : begin({ kind: 'http', label: `${method} ${origin}${path}` });
  const { method: _method, headers, auth, timeout, signal, setHost: _setHost } = options;
  const call = request(
    { host: '127.0.0.1', port: recorderPort, method, path, headers: asRecord(headers), auth, timeout, signal, agent: false },
    callback,
  );
  call.setHeader(originHeader, origin);
  if (begun) call.setHeader(orderHeader, begun.decision);
  // Some clients write only when the encryption stands.
  call.once('socket', (socket) => socket.once('connect', () => socket.emit('secureConnect')));
  if (begun) {
    const emit = call.emit.bind(call) as (...args: unknown[]) => boolean;
    call.emit = ((name: string, ...args: unknown[]) => {
      if (name === 'response' || name === 'error' || name === 'close') begun.end();
      return emit(name, ...args);
    }) as ClientRequest['emit'];
  }
  return call;
}

function asRecord(headers: unknown): Record<string, string | string[]> {
  const record: Record<string, string | string[]> = {};
  const add = (name: unknown, value: unknown): void => {
    if (value !== undefined && value !== null) record[String(name).toLowerCase()] = Array.isArray(value) ? value.map(String) : String(value);
  };
  if (Array.isArray(headers)) {
    if (Array.isArray(headers[0])) for (const [name, value] of headers as [unknown, unknown][]) add(name, value);
    else for (let i = 0; i + 1 < headers.length; i += 2) add(headers[i], headers[i + 1]);
  } else if (headers && typeof (headers as Iterable<unknown>)[Symbol.iterator] === 'function') {
    for (const [name, value] of headers as Iterable<[unknown, unknown]>) add(name, value);
  } else {
    for (const [name, value] of Object.entries((headers ?? {}) as object)) add(name, value);
  }
  return record;
}

interface DispatchOptions {
  origin: string | URL;
  path: string;
  method: string;
  headers?: unknown;
  body?: unknown;
}

/** Handlers of undici up to 6 and, in its fetch, later ones. */
interface Handler {
  onConnect?(abort: (reason?: unknown) => void): void;
  onHeaders?(status: number, headers: Buffer[], resume: () => void, text: string): boolean;
  onData?(chunk: Buffer): boolean;
  onComplete?(trailers: Buffer[]): void;
  onError?(error: unknown): void;
  onRequestStart?(controller: unknown, context: unknown): void;
  onResponseStart?(controller: unknown, status: number, headers: Record<string, unknown>, text: string): void;
  onResponseData?(controller: unknown, chunk: Buffer): void;
  onResponseEnd?(controller: unknown, trailers: Record<string, unknown>): void;
  onResponseError?(controller: unknown, error: unknown): void;
}

/** The dispatcher of undici, by shape: it sends by `http.request`, which leads to the recorder. */
class Dispatcher extends EventEmitter {
  dispatch(options: DispatchOptions, handler: Handler): boolean {
    const url = new URL(options.path, options.origin);
    const modern = typeof handler.onRequestStart === 'function';
    const call = (url.protocol === 'https:' ? https : http).request(url, {
      method: options.method,
      headers: asRecord(options.headers) as Record<string, string>,
    });
    const abort = (reason?: unknown): void => void call.destroy(reason instanceof Error ? reason : new Error('aborted'));
    const controller = { abort, pause: () => undefined, resume: () => undefined, paused: false, aborted: false, reason: null };
    const fail = (error: unknown): void => (modern ? handler.onResponseError?.(controller, error) : handler.onError?.(error));
    if (modern) handler.onRequestStart?.(controller, {});
    else handler.onConnect?.(abort);
    call.on('error', fail);
    call.on('response', (response) => {
      const raw = response.rawHeaders.map((text) => Buffer.from(text, 'latin1'));
      const status = response.statusCode ?? 0;
      const text = response.statusMessage ?? '';
      if (modern) handler.onResponseStart?.(controller, status, response.headers, text);
      else handler.onHeaders?.(status, raw, () => undefined, text);
      response.on('data', (chunk: Buffer) => void (modern ? handler.onResponseData?.(controller, chunk) : handler.onData?.(chunk)));
      response.on('end', () => (modern ? handler.onResponseEnd?.(controller, {}) : handler.onComplete?.([])));
      response.on('error', fail);
    });
    send(call, options.body).catch(fail);
    return true;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  destroy(): Promise<void> {
    return Promise.resolve();
  }
}

async function send(call: ClientRequest, body: unknown): Promise<void> {
  if (body === undefined || body === null) return void call.end();
  if (typeof body === 'string' || body instanceof Uint8Array) return void call.end(body);
  const chunks: Buffer[] = [];
  const stream = body instanceof Readable ? body : Readable.from(body as AsyncIterable<Uint8Array>);
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array));
  call.end(Buffer.concat(chunks));
}
