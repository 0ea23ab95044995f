import { defineLibrary, type Call } from '../schema.js';
import { alike } from '../stores/alike.js';
import { awsClient } from './aws-commands.js';

/** @aws-sdk/client-sns 3.1169: only FIFO topics know a deduplication id, for five minutes. */
export default defineLibrary(
  awsClient('@aws-sdk/client-sns', 'SNS', {
    Publish: { effect: { kind: 'external', data: '0.Message', key: '0.MessageDeduplicationId', keyIsCarried: true, keyIsContentWith: '0.MessageGroupId', content: ['0.Message', '0.MessageAttributes'] } },
    PublishBatch: {
      effect: {
        kind: 'external',
        data: '0.PublishBatchRequestEntries',
        key: '0.PublishBatchRequestEntries.*.MessageDeduplicationId',
        keyIsCarried: true,
        keyIsContentWith: '0.PublishBatchRequestEntries.*.MessageGroupId',
        content: '0.PublishBatchRequestEntries',
        partialFailureIn: 'Failed',
      },
    },
    CreateTopic: { effect: { kind: 'external', idempotentBy: '0.Name' } },
    Subscribe: { effect: { kind: 'external', idempotentBy: '0.Endpoint' } },
    CreatePlatformEndpoint: { effect: { kind: 'external', idempotentBy: '0.Token' } },
    ...alike('ListTopics ListSubscriptions ListSubscriptionsByTopic GetTopicAttributes GetEndpointAttributes', { effect: { kind: 'read' } } satisfies Call),
    ...alike('Unsubscribe SetTopicAttributes SetEndpointAttributes DeleteEndpoint', { effect: { kind: 'external', idempotent: true } } satisfies Call),
  }),
);
