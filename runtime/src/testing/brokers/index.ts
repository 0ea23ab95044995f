/** The clients that the harness has a fake of, and where it is. */
const files: Record<string, string> = {
  amqplib: './amqplib.js',
  bullmq: './bullmq.js',
  kafkajs: './kafkajs.js',
  '@aws-sdk/client-sqs': './sqs.js',
  nats: './nats.js',
  '@nats-io/jetstream': './nats.js',
  '@nats-io/transport-node': './nats.js',
};

export const fakeClients: Record<string, string> = Object.fromEntries(
  Object.entries(files).map(([name, file]) => [name, new URL(file, import.meta.url).href]),
);
