import { expect, it } from 'vitest';
import { call, project } from '../../fixtures/command-runner.js';

it('knows the promise form of a method that takes a callback', async () => {
  const text = `const bluebird = require('bluebird');
const redis = require('redis');
const { Worker } = require('bullmq');
bluebird.promisifyAll(redis);
const client = redis.createClient();
new Worker('visits', async (job) => {
  try {
    await client.incrAsync(job.data.page);
  } catch (error) {
    console.error(error);
  }
});
`;
  const { out } = await call(project({ 'main.js': text }), []);
  expect(out).toContain('main.js:9:5  error  no-ack-on-failure');
  expect(out).toContain('main.js:8:11  error  no-delta-write');
});
