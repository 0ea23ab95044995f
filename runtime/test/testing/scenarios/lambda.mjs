// A function that reports what failed; SWALLOW reports nothing.
import { sqsLambda } from '@idempotent-consumers/inbox/testing';
import pg from 'pg';

const pool = new pg.Pool();

async function handler(event) {
  const batchItemFailures = [];
  for (const record of event.Records) {
    try {
      await pool.query('INSERT INTO visits VALUES ($1) ON CONFLICT (id) DO NOTHING', [JSON.parse(record.body).id]);
    } catch {
      if (!process.env.SWALLOW) batchItemFailures.push({ itemIdentifier: record.messageId });
    }
  }
  return { batchItemFailures };
}

export const setup = 'CREATE TABLE visits (id text PRIMARY KEY)';
export const message = { id: 'v1', body: { id: 'v1' } };
export const { consume, acknowledge } = sqsLambda(handler);
