// Source files for the benchmark, about 130 lines each, as in a service of middling size.

const THINGS = ['invoice', 'parcel', 'member', 'meter', 'ticket', 'refund', 'stock', 'route', 'lease', 'order'];

/** A file without a handler: a service with types, branches, loops and calls of other files. */
export function plain(i) {
  const thing = THINGS[i % THINGS.length];
  const Thing = thing[0].toUpperCase() + thing.slice(1);
  const methods = Array.from({ length: 5 }, (_, n) => method(Thing, thing, i, n)).join('\n');
  return `import { z } from 'zod';
import type { Request, Response } from 'express';
import { format, parseISO } from 'date-fns';
import { logger } from '../shared/logger';
import { ${Thing}Repository } from './${(i + 25) % 1000}';

export interface ${Thing}${i} {
  id: string;
  name: string;
  amount: number;
  createdAt: string;
  tags?: readonly string[];
  status: 'open' | 'closed' | 'pending';
}

const schema = z.object({
  id: z.string().uuid(),
  name: z.string().min(1).max(${50 + (i % 100)}),
  amount: z.number().nonnegative(),
});

const LABELS: Record<${Thing}${i}['status'], string> = {
  open: 'Open ${thing}',
  closed: 'Closed ${thing}',
  pending: 'Pending ${thing}',
};

export class ${Thing}Service${i} {
  private readonly cache = new Map<string, ${Thing}${i}>();

  constructor(private readonly repository: ${Thing}Repository) {}
${methods}
}

export function describe${Thing}${i}(item: ${Thing}${i}): string {
  const date = format(parseISO(item.createdAt), 'yyyy-MM-dd');
  const tags = (item.tags ?? []).filter((tag) => tag.length > 2).join(', ');
  return \`\${LABELS[item.status]} \${item.name} (\${date})\${tags ? \`: \${tags}\` : ''}\`;
}

export async function get${Thing}${i}(request: Request, response: Response): Promise<void> {
  const parsed = schema.safeParse(request.params);
  if (!parsed.success) {
    response.status(400).json({ errors: parsed.error.issues });
    return;
  }
  const service = new ${Thing}Service${i}(new ${Thing}Repository());
  const found = await service.find0(parsed.data.id);
  if (!found) {
    logger.warn({ id: parsed.data.id }, '${thing} is unknown');
    response.status(404).end();
    return;
  }
  response.json({ ...found, label: describe${Thing}${i}(found) });
}
`;
}

function method(Thing, thing, i, n) {
  return `
  async find${n}(id: string): Promise<${Thing}${i} | undefined> {
    const cached = this.cache.get(id);
    if (cached) return cached;
    try {
      const row = await this.repository.findOne({ where: { id, kind: '${thing}-${n}' } });
      if (!row) return undefined;
      const total = row.lines.reduce((sum: number, line: { price: number; count: number }) => sum + line.price * line.count, 0);
      const item: ${Thing}${i} = { ...row, amount: total, status: total > ${n * 100} ? 'open' : 'closed' };
      this.cache.set(id, item);
      return item;
    } catch (error) {
      logger.error({ error, id }, 'could not read ${thing}');
      throw new Error('could not read ${thing} ' + id, { cause: error });
    }
  }`;
}

/** A file with one handler. */
export function consumer(i) {
  const thing = THINGS[i % THINGS.length];
  return `import { Kafka } from 'kafkajs';
import { Pool } from 'pg';
import { logger } from '../shared/logger';

const pool = new Pool();
const consumer = new Kafka({ brokers: ['kafka:9092'] }).consumer({ groupId: '${thing}-${i}' });

async function add(${thing}: { id: string; amount: number }): Promise<void> {
  await pool.query('UPDATE ${thing}s SET total = total + $1 WHERE id = $2', [${thing}.amount, ${thing}.id]);
}

export async function start(): Promise<void> {
  await consumer.subscribe({ topics: ['${thing}s'] });
  await consumer.run({
    eachMessage: async ({ message }) => {
      if (!message.value) return;
      const ${thing} = JSON.parse(message.value.toString()) as { id: string; amount: number };
      logger.info({ id: ${thing}.id }, '${thing} came in');
      await add(${thing});
    },
  });
}
`;
}
