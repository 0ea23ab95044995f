import { defineLibrary, type Call } from '../schema.js';
import { alike } from '../stores/alike.js';
import { awsClient } from './aws-commands.js';

/** @aws-sdk/client-eventbridge 3.1169: an entry takes no key, and the id that comes back is new each time. */
export default defineLibrary(
  awsClient('@aws-sdk/client-eventbridge', 'EventBridge', {
    PutEvents: { effect: { kind: 'external', data: '0.Entries', content: '0.Entries', partialFailureIn: 'FailedEntryCount' } },
    ...alike('PutRule PutTargets DeleteRule RemoveTargets EnableRule DisableRule', { effect: { kind: 'external', idempotent: true } } satisfies Call),
    StartReplay: { effect: { kind: 'external', idempotentBy: '0.ReplayName' } },
    ...alike('DescribeRule ListRules ListTargetsByRule TestEventPattern', { effect: { kind: 'read' } } satisfies Call),
  }),
);
