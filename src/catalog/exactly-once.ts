/** A switch of a broker that promises once-only, and what the promise is about. */
export interface ExactlyOnce {
  /** The property that switches it on, or that a message is given for it. */
  option: string;
  /** What it does, in words that follow on its name. */
  covers: string;
  /** Given to each message by the call that sends it to the same queue: which calls, and where the handler's queue has its name. */
  sentBy?: readonly string[];
}

const JOB_ID = 'keeps a job from being added twice, and only while the first one is there';

const BY_CLIENT: Readonly<Record<string, readonly ExactlyOnce[]>> = {
  // docs.bullmq.io/guide/jobs/job-ids: a job that stalls is run again.
  bullmq: [{ option: 'jobId', covers: JOB_ID, sentBy: ['add', 'addBulk'] }],
  '@nestjs/bullmq': [{ option: 'jobId', covers: JOB_ID, sentBy: ['add', 'addBulk'] }],
  bull: [{ option: 'jobId', covers: JOB_ID, sentBy: ['add', 'addBulk'] }],
  '@nestjs/bull': [{ option: 'jobId', covers: JOB_ID, sentBy: ['add', 'addBulk'] }],
  // pg-boss: a queue policy on what is created.
  'pg-boss': [{ option: 'singletonKey', covers: 'keeps a job from being created twice', sentBy: ['send', 'sendOnce', 'publish', 'insert'] }],
  // cloud.google.com/pubsub/docs/exactly-once-delivery
  '@google-cloud/pubsub': [{ option: 'enableExactlyOnceDelivery', covers: 'keeps a message from coming again once its acknowledgement has succeeded' }],
  // learn.microsoft.com, duplicate detection of Service Bus
  '@azure/service-bus': [{ option: 'requiresDuplicateDetection', covers: 'drops a message that is sent again within its window' }],
  // docs.nats.io, message deduplication
  '@nats-io/jetstream': [{ option: 'duplicate_window', covers: 'drops a message that is published again within the window' }],
  nats: [{ option: 'duplicate_window', covers: 'drops a message that is published again within the window' }],
};

/** docs.aws.amazon.com, exactly-once processing of FIFO queues. */
export const FIFO: ExactlyOnce = { option: 'FifoQueue', covers: 'drops a message that is sent again within five minutes' };

export function switchesOf(client: string): readonly ExactlyOnce[] {
  return BY_CLIENT[client] ?? [];
}
