// A job that adds another; PLAIN gives it no id.
import { Queue, Worker } from 'bullmq';
import pg from 'pg';

const pool = new pg.Pool();
const mails = new Queue('mails');

export const setup = 'CREATE TABLE swaps (id text PRIMARY KEY)';
export const message = { id: 'j1', destination: 'swaps', body: { id: 's1' } };

export const start = () =>
  new Worker('swaps', async (job) => {
    await pool.query('INSERT INTO swaps VALUES ($1) ON CONFLICT (id) DO NOTHING', [job.data.id]);
    await mails.add('swapped', job.data, process.env.PLAIN ? {} : { jobId: `swapped-${job.data.id}` });
  });
