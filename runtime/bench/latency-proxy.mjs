// A TCP proxy that passes everything on after a delay, each way. Told by its parent where to.
import { connect, createServer } from 'node:net';

const [host, port, delay] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];

const server = createServer((client) => {
  const upstream = connect(port, host);
  for (const [from, to] of [[client, upstream], [upstream, client]]) {
    from.setNoDelay(true);
    from.on('data', (data) => setTimeout(() => to.write(data), delay));
    from.on('error', () => undefined);
    from.on('close', () => to.destroy());
  }
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit());
