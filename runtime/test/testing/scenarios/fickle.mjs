// Sends a message twice in its first two processes, and once in all later ones; with an id, so that it does not count.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

const { TRACE } = process.env;

export const message = { id: 'm1', body: null };

export async function consume(delivery) {
  const before = existsSync(TRACE) ? readFileSync(TRACE, 'utf8').length : 0;
  appendFileSync(TRACE, '.');
  for (let i = before < 2 ? 0 : 1; i < 2; i += 1) await delivery.publish('news', 'hello', { id: 'hello' });
  delivery.ack();
}
