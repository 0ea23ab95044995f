import { expect, it } from 'vitest';
import { call, project } from '../../fixtures/command-runner.js';

const consumer = `import { Kafka } from 'kafkajs';
import { prisma } from './prisma.js';
const consumer = new Kafka({ brokers: [] }).consumer({ groupId: 'bank' });
await consumer.run({
  eachMessage: async ({ message }) => {
    const { accountId, amount } = JSON.parse(String(message.value));
    await prisma.account.update({ where: { id: accountId }, data: { balance: { increment: amount } } });
  },
});
`;
const client = (path: string): string => `import { PrismaClient } from '${path}';\nexport const prisma = new PrismaClient();\n`;

const generated = `import * as $Class from './internal/class.js';\nexport const PrismaClient = $Class.getPrismaClientClass();\n`;

// Prisma 7 writes its client to a folder of the project's own; before `prisma generate` has run the folder is not there.
it.each([
  ['is still to be written', {}, './generated/prisma/client.js'],
  ['lies in a package of its own', {}, '@acme/db/generated'],
  ['has been written', { 'generated/prisma/client.ts': generated }, './generated/prisma/client.js'],
])('knows a Prisma client that %s', async (_, files, path) => {
  const { out } = await call(project({ 'main.ts': consumer, 'prisma.ts': client(path), ...files }), []);
  expect(out).toContain('no-delta-write');
});

it('follows an import of the same name that is no generated client', async () => {
  const own = `export const getPrismaClient = () => new PrismaClient();\nexport class PrismaClient { account = { update: async (change: unknown) => { console.log(change); } }; }\n`;
  const { out } = await call(project({ 'main.ts': consumer, 'prisma.ts': client('./generated/prisma/client.js'), 'generated/prisma/client.ts': own }), []);
  expect(out).not.toContain('no-delta-write');
});
