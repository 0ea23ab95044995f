// An effect that the harness does not know by itself.
import { effect } from '@idempotent-consumers/inbox/testing';

export const message = { id: 'm1', body: 'page 3' };

export async function consume(delivery) {
  await effect('print a page', { body: delivery.message.body }, async () => 'printed');
  delivery.ack();
}
