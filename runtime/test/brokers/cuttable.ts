/**
 * A TCP proxy between a client and its broker. It can go deaf when a message comes by, so that no acknowledgement of it
 * reaches the broker, and it can cut all connections.
 */
import { connect, createServer, type Socket } from 'node:net';

export interface Cuttable {
  /** The broker's URL, through the proxy. */
  url: string;
  /** Nothing of the client gets through to the broker after a packet of the broker's has held this text. */
  deafAfter: string | undefined;
  /** Ends the connections and takes no new ones. */
  cut(): Promise<void>;
}

export async function cuttable(brokerUrl: string): Promise<Cuttable> {
  const target = new URL(brokerUrl);
  const sockets = new Set<Socket>();
  let deaf = false;
  const server = createServer((client) => {
    const broker = connect(Number(target.port), target.hostname);
    for (const socket of [client, broker]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
    }
    client.on('close', () => broker.destroy());
    broker.on('close', () => client.destroy());
    client.on('data', (data) => {
      if (!deaf) broker.write(data);
    });
    let seen = '';
    broker.on('data', (data) => {
      if (proxy.deafAfter !== undefined) {
        seen = (seen + data.toString('latin1')).slice(-10_000);
        deaf ||= seen.includes(proxy.deafAfter);
      }
      client.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(brokerUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  const proxy: Cuttable = {
    url: url.href,
    deafAfter: undefined,
    cut: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  return proxy;
}
