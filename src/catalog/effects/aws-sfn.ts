import { defineLibrary, type Call } from '../schema.js';
import { alike } from '../stores/alike.js';
import { awsClient } from './aws-commands.js';

/** @aws-sdk/client-sfn 3.1169: the name makes a standard execution unique until 90 days after it closes; express ones not. */
export default defineLibrary(
  awsClient('@aws-sdk/client-sfn', 'SFN', {
    StartExecution: { effect: { kind: 'external', data: '0.input', key: '0.name' } },
    StartSyncExecution: { effect: { kind: 'external', data: '0.input' } },
    RedriveExecution: { effect: { kind: 'external', key: '0.clientToken' } },
    ...alike('SendTaskSuccess SendTaskFailure', { effect: { kind: 'external', idempotentBy: '0.taskToken' } } satisfies Call),
    SendTaskHeartbeat: { effect: { kind: 'external', negligible: true } },
    StopExecution: { effect: { kind: 'external', idempotentBy: '0.executionArn' } },
    ...alike('DescribeExecution ListExecutions GetExecutionHistory DescribeStateMachine', { effect: { kind: 'read' } } satisfies Call),
  }),
);
