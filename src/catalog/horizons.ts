const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** For how long after its first delivery a message can come again, unless the program or the settings say otherwise. */
export interface Horizon {
  ms: number;
  /** What ends it, in words that follow on `the message can come again for …`. */
  says: string;
  /** Nothing bounds it; `ms` is what an outage over night takes. */
  unbounded?: true;
  /** Words in the program by which it is set to something that is not known. */
  unless?: readonly string[];
}

/** `log.retention.hours` is 168 (kafka.apache.org/documentation, broker configurations). */
const KAFKA: Horizon = { ms: 7 * DAY, says: 'a Kafka topic keeps its records for 7 days by default', unless: ['retention.ms', 'retention.hours', 'retention.minutes', 'retentionMs'] };
/** `MessageRetentionPeriod` is 345600 seconds (docs.aws.amazon.com, SetQueueAttributes). */
export const SQS: Horizon = { ms: 4 * DAY, says: 'SQS keeps a message for 4 days by default' };
/** A queue of RabbitMQ has no time limit of its own (rabbitmq.com/docs/ttl). */
const AMQP: Horizon = { ms: DAY, says: 'a queue of RabbitMQ keeps a message without limit', unbounded: true, unless: ['x-message-ttl', 'messageTtl', 'x-expires'] };
/** No `max_age` by default (docs.nats.io/nats-concepts/jetstream/streams). */
const JETSTREAM: Horizon = { ms: DAY, says: 'a JetStream stream keeps a message without limit by default', unbounded: true, unless: ['max_age', 'maxAge'] };
/** Pending entries stay until they are acknowledged (redis.io/docs/latest/commands/xpending). */
const REDIS_STREAM: Horizon = { ms: DAY, says: 'a Redis stream keeps a pending entry until it is acknowledged', unbounded: true };
/** `messageRetentionDuration` is 7 days (cloud.google.com/pubsub/docs/subscription-properties). */
const PUBSUB: Horizon = { ms: 7 * DAY, says: 'Pub/Sub keeps an unacknowledged message for 7 days by default', unless: ['messageRetentionDuration'] };
/** Retries of asynchronous invocations after throttling and system errors (docs.aws.amazon.com/lambda, asynchronous invocation). */
const LAMBDA_ASYNC: Horizon = { ms: 6 * HOUR, says: 'Lambda tries an asynchronous event again for up to 6 hours' };

const BY_CLIENT: Readonly<Record<string, Horizon>> = {
  kafkajs: KAFKA,
  '@confluentinc/kafka-javascript': KAFKA,
  'node-rdkafka': KAFKA,
  'kafka-node': KAFKA,
  '@platformatic/kafka': KAFKA,
  '@aws-sdk/client-sqs': SQS,
  'sqs-consumer': SQS,
  'squiss-ts': SQS,
  '@ssut/nestjs-sqs': SQS,
  amqplib: AMQP,
  'amqp-connection-manager': AMQP,
  '@golevelup/nestjs-rabbitmq': AMQP,
  'rabbitmq-client': AMQP,
  '@cloudamqp/amqp-client': AMQP,
  rascal: AMQP,
  nats: JETSTREAM,
  '@nats-io/jetstream': JETSTREAM,
  ioredis: REDIS_STREAM,
  redis: REDIS_STREAM,
  '@google-cloud/pubsub': PUBSUB,
  // Without a time to live or a quota of the backlog (pulsar.apache.org/docs, message retention and expiry).
  'pulsar-client': { ms: DAY, says: 'Pulsar keeps an unacknowledged message without limit by default', unbounded: true },
  // The shortest retention among the tiers (learn.microsoft.com, Event Hubs quotas).
  '@azure/event-hubs': { ms: DAY, says: 'Event Hubs keep an event for a day at least' },
  // 25 attempts, e^min(attempt, 10) seconds apart (worker.graphile.org/docs/exponential-backoff).
  'graphile-worker': { ms: 95 * HOUR, says: 'graphile-worker tries a job 25 times over almost 4 days by default', unless: ['maxAttempts', 'max_attempts'] },
  // docs.stripe.com/webhooks#automatic-retries
  stripe: { ms: 3 * DAY, says: 'Stripe tries to deliver an event for 3 days' },
  // Eight retries (shopify.dev/docs/apps/build/webhooks/troubleshooting-webhooks).
  '@shopify/shopify-api': { ms: 4 * HOUR, says: 'Shopify tries to deliver a webhook for 4 hours' },
  // Redelivered by hand or through the API (docs.github.com/webhooks/testing-and-troubleshooting-webhooks).
  '@octokit/webhooks': { ms: 3 * DAY, says: 'a delivery of GitHub can be sent again for 3 days' },
  // The last of eight attempts (docs.svix.com/retries).
  svix: { ms: 27 * HOUR, says: 'Svix tries to deliver a message for more than 27 hours' },
};

/** Sources of Lambda functions, by the words of their registrations. */
const BY_SOURCE: Readonly<Record<string, Horizon>> = {
  SQS,
  Kafka: KAFKA,
  SNS: LAMBDA_ASYNC,
  S3: LAMBDA_ASYNC,
  // docs.aws.amazon.com/eventbridge, event retry policy
  EventBridge: { ms: DAY, says: 'EventBridge tries to deliver an event for 24 hours' },
  // `RetentionPeriodHours` is 24 (docs.aws.amazon.com/streams).
  Kinesis: { ms: DAY, says: 'a Kinesis stream keeps a record for 24 hours by default' },
  'DynamoDB Streams': { ms: DAY, says: 'a DynamoDB stream keeps a record for 24 hours' },
};

/** What is known of a client, or of one source of a client that has several. */
export function defaultHorizon(client: string, source: string | undefined): Horizon | undefined {
  return (source === undefined ? undefined : BY_SOURCE[source]) ?? BY_CLIENT[client];
}
