/** Consumers as they are written for each client, unchanged, against the harness's fake of it. */
import { proveHandler } from '@idempotent-consumers/inbox/testing';
import { describe, expect, inject, it } from 'vitest';

async function prove(file: string, env: Record<string, string> = {}): Promise<string[]> {
  const proof = await proveHandler(new URL(`scenarios/${file}`, import.meta.url), { databaseUrl: inject('databaseUrl'), env });
  return proof.differences.map(({ kind, run }) => `${kind}: ${run}`);
}

describe('the fake client', { timeout: 120_000 }, () => {
  it('of amqplib: no ack is at most once', async () => {
    expect(await prove('amqplib.mjs')).toEqual([]);
    expect(await prove('amqplib.mjs', { NO_ACK: '1' })).toContain('lost: crash after the ack and before `INSERT INTO archive`');
  });

  it.each(['eachMessage', 'eachBatch'])('of kafkajs: the return of %s commits', async (MODE) => {
    expect(await prove('kafkajs.cjs', { MODE })).toEqual([]);
  });

  it('of kafkajs: a commit before the write loses it', async () => {
    expect(await prove('kafkajs.cjs', { MODE: 'early' })).toContain('lost: crash after the ack and before `INSERT INTO readings`');
  });

  it('of SQS: a message is done when it is deleted', async () => {
    expect(await prove('sqs.mjs')).toEqual([]);
    expect(await prove('sqs.mjs', { EARLY: '1' })).toContain('lost: crash after the ack and before `INSERT INTO visits`');
  });

  it('of Lambda: what is not among the failures is deleted', async () => {
    expect(await prove('lambda.mjs')).toEqual([]);
    expect(await prove('lambda.mjs', { SWALLOW: '1' })).toEqual(['lost: `INSERT INTO visits` fails once']);
  });

  it('of BullMQ: a job with the id of another is not added', async () => {
    expect(await prove('bullmq.mjs')).toEqual([]);
    expect(await prove('bullmq.mjs', { PLAIN: '1' })).toContain('repeated: crash after publish to mails and before the ack');
  });

  it('of JetStream: an early ack loses the write', async () => {
    expect(await prove('nats.mjs')).toEqual([]);
    expect(await prove('nats.mjs', { EARLY: '1' })).toContain('lost: crash after the ack and before `INSERT INTO trees`');
  });
});
