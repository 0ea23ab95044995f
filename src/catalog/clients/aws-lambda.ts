import { defineLibrary, type Registration, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const stored: Shape = { stability: 'broker-stable' };
const delivery: Shape = { stability: 'delivery' };

/** The old callback form; the Node 24 runtime refuses it. An async handler answers by its promise. */
const callback: Shape = { call: { settles: { as: 'callback' } } };

function source(name: string, event: string, facts: Partial<Registration> = {}): { handler: Shape; registration: Registration } {
  const registration: Registration = {
    handler: 'decorated',
    params: [event, 'Context', callback],
    acknowledgement: 'on-return',
    callbackParam: 2,
    asyncByPromise: true,
    source: name,
    ...facts,
  };
  return { handler: { handlerType: registration }, registration };
}

const sqs = source('SQS', 'SQSEvent', { partialBatch: true });
const kinesis = source('Kinesis', 'KinesisStreamEvent', { partialBatch: true });
const dynamodb = source('DynamoDB Streams', 'DynamoDBStreamEvent', { partialBatch: true });
const sns = source('SNS', 'SNSEvent');
const eventBridge = source('EventBridge', 'EventBridgeEvent');
const s3 = source('S3', 'S3Event');
const msk = source('Kafka', 'MSKEvent', { partialBatch: true });
const selfManaged = source('Kafka', 'SelfManagedKafkaEvent', { partialBatch: true });
const ses = source('SES', 'SESEvent');
const iot = source('IoT', 'IoTEvent');
const logs = source('CloudWatch Logs', 'CloudWatchLogsEvent');
const pipeline = source('EventBridge', 'EventBridgeEvent');

const records = (record: string): Shape => ({ members: { Records: { batch: true, element: record } } });
const kafkaRecord: Shape = {
  message: true,
  members: { value: stable, key: stable, headers: stable, topic: stable, partition: stored, offset: stored, timestamp: stored },
};
const kafkaEvent: Shape = { members: { records: { element: { batch: true, element: 'MSKRecord' }, anyMember: { batch: true, element: 'MSKRecord' } } } };
// One event per invocation; the id is kept over Lambda's own retries.
const eventBridgeEvent: Shape = { message: true, members: { id: stored, time: stored, detail: stable, 'detail-type': stable, source: stable, resources: stable, account: stable, region: stable } };
const snsRecord: Shape = { message: true, members: { Sns: 'SNSMessage', EventSubscriptionArn: stable } };

/**
 * @types/aws-lambda 8.10.164 (handler.d.ts, trigger/*.d.ts). A type-only package: handlers are exported functions known by
 * their type or by the type of their event. Which of them may answer with `batchItemFailures` depends on
 * `FunctionResponseTypes` in the infrastructure.
 */
export default defineLibrary({
  name: 'aws-lambda',
  packages: ['aws-lambda', '@types/aws-lambda', 'aws-lambda/*'],
  exports: {},
  types: {
    Handler: { eventArgument: true },
    SQSHandler: sqs.handler,
    SQSEvent: { ...records('SQSRecord'), eventType: sqs.registration },
    SQSRecord: {
      message: true,
      members: {
        body: stable,
        messageAttributes: stable,
        md5OfBody: stable,
        messageId: stored,
        receiptHandle: delivery,
        eventSourceARN: stable,
        attributes: {
          stability: 'delivery',
          members: { MessageDeduplicationId: stable, MessageGroupId: stable, SenderId: stable, SequenceNumber: stored, SentTimestamp: stored },
        },
      },
    },
    SNSHandler: sns.handler,
    SNSEvent: { ...records('SNSEventRecord'), eventType: sns.registration },
    SNSEventRecord: snsRecord,
    SNSMessage: {
      message: true,
      members: { MessageId: stored, Timestamp: stored, Message: stable, MessageAttributes: stable, Subject: stable, TopicArn: stable },
    },
    KinesisStreamHandler: kinesis.handler,
    KinesisStreamTumblingWindowHandler: kinesis.handler,
    KinesisStreamEvent: { ...records('KinesisStreamRecord'), eventType: kinesis.registration },
    KinesisStreamRecord: { message: true, members: { eventID: stored, kinesis: 'KinesisStreamRecordPayload' } },
    KinesisStreamRecordPayload: {
      message: true,
      members: { data: stable, partitionKey: stable, sequenceNumber: stored, approximateArrivalTimestamp: stored },
    },
    DynamoDBStreamHandler: dynamodb.handler,
    DynamoDBStreamEvent: { ...records('DynamoDBRecord'), eventType: dynamodb.registration },
    DynamoDBRecord: { message: true, members: { eventID: stored, eventName: stable, dynamodb: 'StreamRecord', eventSourceARN: stable } },
    StreamRecord: {
      message: true,
      members: { Keys: stable, NewImage: stable, OldImage: stable, SequenceNumber: stored, ApproximateCreationDateTime: stored },
    },
    EventBridgeHandler: eventBridge.handler,
    EventBridgeEvent: { ...eventBridgeEvent, eventType: eventBridge.registration },
    ScheduledHandler: eventBridge.handler,
    ScheduledEvent: { ...eventBridgeEvent, eventType: eventBridge.registration },
    S3NotificationEventBridgeHandler: eventBridge.handler,
    CodePipelineCloudWatchHandler: pipeline.handler,
    S3Handler: s3.handler,
    S3Event: { ...records('S3EventRecord'), eventType: s3.registration },
    S3CreateEvent: { ...records('S3EventRecord'), eventType: s3.registration },
    // No event id: object key with version or sequencer names the change.
    S3EventRecord: { message: true, members: { s3: stored, eventName: stable, eventTime: stored, responseElements: delivery } },
    MSKHandler: msk.handler,
    MSKEvent: { ...kafkaEvent, eventType: msk.registration },
    MSKRecord: kafkaRecord,
    SelfManagedKafkaHandler: selfManaged.handler,
    SelfManagedKafkaEvent: { ...kafkaEvent, eventType: selfManaged.registration },
    SelfManagedKafkaRecord: kafkaRecord,
    SESHandler: ses.handler,
    SESEvent: { ...records('SESEventRecord'), eventType: ses.registration },
    SESEventRecord: { message: true, members: { ses: stored } },
    IoTHandler: iot.handler,
    IoTEvent: { message: true, stability: 'producer-stable', eventType: iot.registration },
    CloudWatchLogsHandler: logs.handler,
    CloudWatchLogsEvent: { message: true, stability: 'broker-stable', eventType: logs.registration },
    // `awsRequestId` is kept over the retries of one asynchronous invocation, and new for each poll of a queue.
    Context: { stability: 'constant', members: { awsRequestId: delivery, logStreamName: delivery, getRemainingTimeInMillis: { call: { mints: 'clock' } } } },
    Callback: callback,
  },
});
