// With noAck the broker forgets the message when it sends it; else the handler acknowledges after the write, or nacks.
import amqp from 'amqplib';
import pg from 'pg';

const pool = new pg.Pool();

export const setup = 'CREATE TABLE archive (ticket text PRIMARY KEY)';
export const message = { id: 'm1', destination: 'tickets', body: { ticket: 'T-1' } };

export async function start() {
  const connection = await amqp.connect('amqp://broker');
  const channel = await connection.createChannel();
  const noAck = process.env.NO_ACK === '1';
  await channel.assertQueue('tickets', { durable: true });
  await channel.consume(
    'tickets',
    async (msg) => {
      const { ticket } = JSON.parse(msg.content.toString());
      try {
        await pool.query('INSERT INTO archive VALUES ($1) ON CONFLICT (ticket) DO NOTHING', [ticket]);
        channel.publish('events', 'archived', msg.content, { messageId: `${msg.properties.messageId}/archived` });
        if (!noAck) channel.ack(msg);
      } catch {
        if (!noAck) channel.nack(msg, false, true);
      }
    },
    { noAck },
  );
}
