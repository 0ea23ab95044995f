/**
 * A TCP proxy in front of PostgreSQL that understands the protocol's framing: it counts round trips, adds latency and
 * cuts the connection at a chosen point.
 *
 * Source: PostgreSQL manual, 55.2 "Message Flow": a frontend message is a type byte and a length of four bytes, but
 * for the startup message, which has no type.
 */
import { connect, createServer, type Socket } from 'node:net';

export interface Proxy {
  port: number;
  /** Connection string that leads through the proxy. */
  url: string;
  /** Requests that await an answer: simple queries, and syncs of the extended protocol. */
  roundTrips: number;
  /** Cuts the next connection that sends such a statement: before it is passed on, or when its answer comes. */
  cut: { when: 'before' | 'after'; at: RegExp } | undefined;
  /** While true, an answer's last message, the one that tells the status of the transaction, comes 20 ms after the rest. */
  lateStatus: boolean;
  /** While true new connections are refused. */
  refuse: boolean;
  close(): Promise<void>;
}

export async function startProxy(target: string, latency = 0): Promise<Proxy> {
  const { hostname, port: targetPort } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (proxy.refuse) return void client.destroy();
    const upstream = connect(Number(targetPort || 5432), hostname);
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      sockets.add(socket);
    }
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    const toServer = delayed(latency, (data) => upstream.write(data));
    const toClient = delayed(latency, (data) => {
      if (silenced) return;
      const status = data.length - statusLength;
      if (!proxy.lateStatus || status <= 0 || data.readUInt8(status) !== statusType) return void client.write(data);
      client.write(data.subarray(0, status));
      setTimeout(() => client.write(data.subarray(status)), 20);
    });
    let silenced = false;
    let startup = true;
    let rest = Buffer.alloc(0);
    client.on('data', (data) => {
      rest = Buffer.concat([rest, data]);
      for (;;) {
        const header = startup ? 0 : 1;
        if (rest.length < header + 4) return;
        const length = header + rest.readInt32BE(header);
        if (rest.length < length) return;
        const message = rest.subarray(0, length);
        rest = rest.subarray(length);
        const type = startup ? 'startup' : String.fromCharCode(message.readUInt8(0));
        startup = false;
        if (type === 'Q' || type === 'S') proxy.roundTrips += 1;
        if ((type === 'Q' || type === 'P') && proxy.cut?.at.test(message.toString())) {
          const { when } = proxy.cut;
          proxy.cut = undefined;
          if (when === 'before') return void client.destroy();
          // The server does what it is told; its answer is lost.
          silenced = true;
          upstream.once('data', () => client.destroy());
        }
        toServer(Buffer.from(message));
      }
    });
    upstream.on('data', toClient);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const proxy: Proxy = {
    port,
    url: url.toString(),
    roundTrips: 0,
    cut: undefined,
    refuse: false,
    lateStatus: false,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  return proxy;
}

/** ReadyForQuery: `Z`, a length of four bytes, and the status. */
const statusType = 'Z'.charCodeAt(0);
const statusLength = 6;

function delayed(latency: number, write: (data: Buffer) => void): (data: Buffer) => void {
  if (latency === 0) return write;
  return (data) => void setTimeout(write, latency, data);
}

/** A simple query that ends in COMMIT. */
export const atCommit = /COMMIT\s*\0$/;
