import { defineLibrary } from '../schema.js';
import { awsClient } from './aws-commands.js';

/** @aws-sdk/client-ssm 3.1169. */
export default defineLibrary(
  awsClient('@aws-sdk/client-ssm', 'SSM', {
    GetParameter: { effect: { kind: 'read' } },
    GetParameters: { effect: { kind: 'read' } },
    GetParametersByPath: { effect: { kind: 'read' } },
    PutParameter: { effect: { kind: 'external', idempotentBy: '0.Name' } },
    DeleteParameter: { effect: { kind: 'external', idempotentBy: '0.Name' } },
    SendCommand: { effect: { kind: 'external' } },
  }),
);
