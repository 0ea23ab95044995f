// Written in TypeScript, with a helper beside it that is imported as TypeScript resolves it.
import type { Delivery, Message } from '@idempotent-consumers/inbox/testing';
import { Archive } from './archive.js';

const archive = new Archive();

export const setup = 'CREATE TABLE archive (ticket text PRIMARY KEY)';
export const message: Message = { id: 'ticket-1', body: { ticket: 'T-1' } };

export async function consume(delivery: Delivery): Promise<void> {
  const { ticket } = delivery.message.body as { ticket: string };
  if (process.env.EARLY === '1') delivery.ack();
  await archive.keep(ticket);
  delivery.ack();
}
