import { expect, it } from 'vitest';
import { call, project } from '../../../fixtures/command-runner.js';

const worker = (head: string, body: string): string => `const { Worker } = require('bullmq');
${head}
new Worker('parcels', async (job) => {
  ${body}
});
`;

it.each([
  ['minio', "const { Client } = require('minio');\nconst client = new Client({ endPoint: 'files' });", "await client.putObject('parcels', job.data.name, job.data.content);"],
  ['basic-ftp', "const { Client } = require('basic-ftp');\nconst client = new Client();", 'await client.uploadFrom(job.data.content, job.data.name);'],
  ['ssh2-sftp-client', "const Client = require('ssh2-sftp-client');\nconst client = new Client();", 'await client.put(job.data.content, job.data.name);'],
  ['any client of AWS', "const { ECSClient, RunTaskCommand } = require('@aws-sdk/client-ecs');\nconst client = new ECSClient({});", "await client.send(new RunTaskCommand({ taskDefinition: 'print' }));"],
  ['@trpc/client', "const { createTRPCClient } = require('@trpc/client');\nconst client = createTRPCClient({ links: [] });", 'await client.parcels.labels.print.mutate({ id: job.data.id });'],
])('knows what %s changes', async (_, head, body) => {
  const { out } = await call(project({ 'main.js': worker(head, body) }), ['--explain', 'main.js:4']);
  expect(out).toMatch(/5\s+external\s+(client\.|RunTaskCommand)/);
});

it('asks by commands that ask', async () => {
  const { out } = await call(project({ 'main.js': worker("const { ECSClient, DescribeTasksCommand } = require('@aws-sdk/client-ecs');\nconst client = new ECSClient({});", 'await client.send(new DescribeTasksCommand({ tasks: [job.data.task] }));') }), ['--explain', 'main.js:4']);
  expect(out).toMatch(/5\s+read\s+DescribeTasksCommand/);
});
