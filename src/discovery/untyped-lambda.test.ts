import { expect, it } from 'vitest';
import { call, project } from '../../fixtures/command-runner.js';

const list = async (files: Record<string, string>): Promise<string> => (await call(project(files), ['--list'])).out;

it('takes an event that is validated first for what it is read as', async () => {
  const out = await list({
    'orders.js': `const { orders } = require('./schema');
const place = async (event) => {
  const parsed = orders.safeParse(event);
  for (const record of parsed.data.Records) console.log(record.body);
};
exports.handler = async (event) => { await place(event); };
`,
  });
  expect(out).toContain('orders.js:6');
});

it('reads an event by the fields of a type of the program', async () => {
  const out = await list({
    'events.ts': `export interface ParameterChange { 'detail-type': 'Parameter Store Change'; detail: { name: string } }
`,
    'deploy.ts': `import type { ParameterChange } from './events.js';
export const handler = async (event: ParameterChange) => { await fetch('https://deploy.test', { method: 'POST' }); };
`,
  });
  expect(out).toContain('deploy.ts:2');
});

const kinds = `exports.isSchedule = (event) => event['detail-type'] === 'Scheduled Event';
exports.isTest = (event) => event['detail-type'] === 'Test Event';
exports.isChange = (event) => event.Records && event.Records[0].dynamodb;
`;

it('takes a schedule for no message', async () => {
  const out = await list({
    'kinds.js': kinds,
    'poll.js': `const { isSchedule, isTest } = require('./kinds');
exports.handler = async (event) => {
  if (isTest(event)) return;
  if (!isSchedule(event)) throw new Error('unsupported');
  await fetch('https://poll.test', { method: 'POST' });
};
`,
  });
  expect(out).not.toContain('poll.js');
});

it('keeps a function that a schedule calls too', async () => {
  const out = await list({
    'kinds.js': kinds,
    'poll.js': `const { isSchedule, isChange } = require('./kinds');
exports.handler = async (event) => {
  if (isSchedule(event) || isChange(event)) await fetch('https://poll.test', { method: 'POST' });
};
`,
  });
  expect(out).toContain('poll.js:2');
});
