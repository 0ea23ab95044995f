// Receives, writes and deletes; EARLY deletes first.
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import pg from 'pg';

const pool = new pg.Pool();
const sqs = new SQSClient({});
const QueueUrl = 'https://sqs.example/1/visits';

export const setup = 'CREATE TABLE visits (id text PRIMARY KEY)';
export const message = { id: 'v1', destination: 'visits', body: { id: 'v1' } };

export async function start() {
  for (;;) {
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
    for (const { Body, ReceiptHandle } of Messages) {
      const done = () => sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      if (process.env.EARLY) await done();
      await pool.query('INSERT INTO visits VALUES ($1) ON CONFLICT (id) DO NOTHING', [JSON.parse(Body).id]);
      if (!process.env.EARLY) await done();
    }
  }
}
