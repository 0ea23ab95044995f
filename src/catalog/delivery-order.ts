/**
 * In which order a client delivers messages of one entity, as the documentation of the brokers has it.
 * `kept`: as they were sent, if they carry the same key, and a redelivery repeats what followed (partitions, shards).
 * `lost`: a message that is refused, retried or sent to another consumer comes after later ones.
 */
export type DeliveryOrder = 'kept' | 'lost';

const KEPT = new Set(['kafkajs', '@confluentinc/kafka-javascript', 'node-rdkafka', 'kafka-node', '@platformatic/kafka', '@azure/event-hubs', '@dojot/microservice-sdk', 'mqtt']);

/** Queues of jobs: a job is a command of the program itself, and no news of an entity that another system keeps. */
const JOBS = new Set(['bull', 'bullmq', '@nestjs/bull', '@nestjs/bullmq', 'bee-queue', 'agenda', 'pg-boss', 'graphile-worker', 'inngest', '@trigger.dev/sdk', 'wasp', '@upstash/qstash', 'pgmq-js']);

const BY_SOURCE: Readonly<Record<string, DeliveryOrder>> = { Kafka: 'kept', Kinesis: 'kept', 'DynamoDB Streams': 'kept', SQS: 'lost', SNS: 'lost', EventBridge: 'lost', S3: 'lost' };

const LOST = new Set([
  'amqplib', 'amqp-connection-manager', '@golevelup/nestjs-rabbitmq', 'rabbitmq-client', '@cloudamqp/amqp-client', 'rascal', 'rhea', 'stompit', '@stomp/stompjs',
  '@aws-sdk/client-sqs', 'sqs-consumer', 'squiss-ts', '@ssut/nestjs-sqs', 'sst', '@google-cloud/pubsub', '@google-cloud/functions-framework', 'firebase-functions', '@azure/service-bus',
  'ffc-messaging', '@azure/functions', 'nats', '@nats-io/jetstream', 'ioredis', 'redis', 'pulsar-client', '@dapr/dapr', '@cloudflare/workers-types',
]);

/** Undefined for jobs, and for clients of which nothing is known. An HTTP answer acknowledges webhooks, which no sender keeps in order. */
export function deliveryOrder(client: string, source: string | undefined, http: boolean): DeliveryOrder | undefined {
  if (JOBS.has(client)) return undefined;
  const bySource = source === undefined ? undefined : BY_SOURCE[source];
  if (bySource) return bySource;
  if (http || LOST.has(client)) return 'lost';
  return KEPT.has(client) ? 'kept' : undefined;
}
