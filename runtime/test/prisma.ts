/** A Prisma client, generated for the test from the packages alone. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { PrismaPg } from '@prisma/adapter-pg';

export interface PrismaTransaction {
  $queryRawUnsafe(text: string): PromiseLike<unknown>;
}

export interface PrismaClient extends PrismaTransaction {
  $transaction<T>(work: (tx: PrismaTransaction) => Promise<T>, options?: { maxWait?: number; timeout?: number }): Promise<T>;
  $disconnect(): Promise<void>;
}

export async function prismaClient(connectionString: string): Promise<PrismaClient> {
  const folder = fileURLToPath(new URL('../dist/test-prisma/', import.meta.url));
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'schema.prisma'),
    `generator client {
  provider = "prisma-client"
  output = "./client"
}
datasource db {
  provider = "postgresql"
}
model Account {
  id String @id
}
`,
  );
  const cli = createRequire(import.meta.url).resolve('prisma/build/index.js');
  await promisify(execFile)(process.execPath, [cli, 'generate', '--schema', join(folder, 'schema.prisma')], {
    // Generating needs no engine, but the command would download one. Any file that exists keeps it from that.
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1' },
  });
  const generated = (await import(/* @vite-ignore */ pathToFileURL(join(folder, 'client/client.ts')).href)) as {
    PrismaClient: new (options: { adapter: PrismaPg }) => PrismaClient;
  };
  return new generated.PrismaClient({ adapter: new PrismaPg({ connectionString }) });
}
