import { expect, it } from 'vitest';
import { call, project } from '../../../fixtures/command-runner.js';

const worker = (head: string, body: string): string => `const { Worker } = require('bullmq');
${head}
new Worker('orders', async (job) => {
  ${body}
});
`;

it.each([
  ['typesense', "const { Client } = require('typesense');\nconst client = new Client({ nodes: [] });", "await client.collections('orders').documents().upsert(job.data);", 'upsert'],
  ['meilisearch', "const { MeiliSearch } = require('meilisearch');\nconst client = new MeiliSearch({ host: 'search' });", "await client.index('orders').updateDocuments([job.data]);", 'absolute'],
  ['algoliasearch', "const { algoliasearch } = require('algoliasearch');\nconst client = algoliasearch('app', 'key');", "await client.deleteObject({ indexName: 'orders', objectID: job.data.id });", 'delete'],
])('knows what %s changes', async (_, head, body, kind) => {
  const { out } = await call(project({ 'main.js': worker(head, body) }), ['--explain', 'main.js:4']);
  expect(out).toMatch(new RegExp(`5\\s+write\\s+client.*\\(${kind}\\)`));
});
