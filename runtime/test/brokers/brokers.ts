/** The brokers that the tests talk to, each with a queue of its own for one consumer. */
import { connect as connectTcp } from 'node:net';
import { AckPolicy, jetstreamManager } from '@nats-io/jetstream';
import { connect as connectNats, nanos } from '@nats-io/transport-node';
import { connect as connectAmqp } from 'amqplib';
import { Queue as JobQueue } from 'bullmq';
import { Redis } from 'ioredis';

/** The body of a message. */
export interface Parcel {
  parcel: string;
  box: string;
}

export interface Queue {
  send(parcel: Parcel): Promise<void>;
  /** True if nothing waits to be delivered, or delivered again. */
  idle(): Promise<boolean>;
  remove(): Promise<void>;
}

export interface Broker {
  /** The folder below fixtures/brokers. */
  fixtures: string;
  name: string;
  /** The variable of the environment that names it, here and in the fixtures. */
  variable: string;
  url: string;
  open(name: string): Promise<Queue>;
}

const amqpUrl = process.env.AMQP_URL ?? 'amqp://guest:guest@127.0.0.1:5672';
const natsUrl = process.env.NATS_URL ?? 'nats://127.0.0.1:4222';
const redisUrl = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379';

/** Time in milliseconds after which JetStream delivers again. */
const ackWait = 1000;

export const brokers: Broker[] = [
  { fixtures: 'amqplib', name: 'RabbitMQ', variable: 'AMQP_URL', url: amqpUrl, open: openRabbit },
  { fixtures: 'nats-jetstream', name: 'NATS JetStream', variable: 'NATS_URL', url: natsUrl, open: openJetStream },
  { fixtures: 'bullmq', name: 'Redis, by BullMQ', variable: 'REDIS_URL', url: redisUrl, open: openJobs },
  { fixtures: 'redis-streams', name: 'Redis streams', variable: 'REDIS_URL', url: redisUrl, open: openRedisStream },
];

export function answers({ url }: Broker): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connectTcp(Number(port), hostname);
    const end = (up: boolean) => (): void => {
      socket.destroy();
      resolve(up);
    };
    socket.once('connect', end(true)).once('error', end(false)).setTimeout(2000, end(false));
  });
}

async function openRabbit(name: string): Promise<Queue> {
  const connection = await connectAmqp(amqpUrl);
  const channel = await connection.createConfirmChannel();
  await channel.assertQueue(name, { durable: true });
  return {
    async send(parcel) {
      channel.sendToQueue(name, Buffer.from(JSON.stringify(parcel)), { persistent: true, messageId: parcel.parcel });
      await channel.waitForConfirms();
    },
    idle: async () => (await channel.checkQueue(name)).messageCount === 0,
    async remove() {
      await channel.deleteQueue(name);
      await connection.close();
    },
  };
}

async function openJetStream(name: string): Promise<Queue> {
  const connection = await connectNats({ servers: natsUrl });
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name, subjects: [name] });
  await manager.consumers.add(name, { durable_name: 'counter', ack_policy: AckPolicy.Explicit, ack_wait: nanos(ackWait) });
  return {
    async send(parcel) {
      await manager.jetstream().publish(name, JSON.stringify(parcel), { msgID: parcel.parcel });
    },
    async idle() {
      const { num_pending, num_ack_pending } = await manager.consumers.info(name, 'counter');
      return num_pending === 0 && num_ack_pending === 0;
    },
    async remove() {
      await manager.streams.delete(name);
      await connection.close();
    },
  };
}

async function openJobs(name: string): Promise<Queue> {
  const jobs = new JobQueue(name, { connection: { url: redisUrl } });
  await jobs.waitUntilReady();
  return {
    async send(parcel) {
      await jobs.add('arrived', parcel, { jobId: parcel.parcel });
    },
    async idle() {
      const { waiting, active, delayed } = await jobs.getJobCounts('waiting', 'active', 'delayed');
      return waiting === 0 && active === 0 && delayed === 0;
    },
    async remove() {
      await jobs.obliterate({ force: true });
      await jobs.close();
    },
  };
}

async function openRedisStream(name: string): Promise<Queue> {
  const redis = new Redis(redisUrl);
  const group = 'counters';
  await redis.xgroup('CREATE', name, group, '$', 'MKSTREAM');
  return {
    async send({ parcel, box }) {
      await redis.xadd(name, '*', 'parcel', parcel, 'box', box);
    },
    async idle() {
      const [info] = (await redis.xinfo('GROUPS', name)) as (string | number)[][];
      const field = (key: string): unknown => info?.[info.indexOf(key) + 1];
      return field('pending') === 0 && field('lag') === 0;
    },
    async remove() {
      await redis.del(name);
      redis.disconnect();
    },
  };
}
