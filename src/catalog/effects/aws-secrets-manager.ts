import { defineLibrary } from '../schema.js';
import { awsClient } from './aws-commands.js';

/** @aws-sdk/client-secrets-manager 3.1169: the SDK makes up a `ClientRequestToken` where none is given. */
export default defineLibrary(
  awsClient('@aws-sdk/client-secrets-manager', 'SecretsManager', {
    GetSecretValue: { effect: { kind: 'read' } },
    BatchGetSecretValue: { effect: { kind: 'read' } },
    DescribeSecret: { effect: { kind: 'read' } },
    ListSecrets: { effect: { kind: 'read' } },
    CreateSecret: { effect: { kind: 'external', idempotentBy: '0.Name' } },
    PutSecretValue: { effect: { kind: 'external', idempotentBy: '0.SecretId' } },
    UpdateSecret: { effect: { kind: 'external', idempotentBy: '0.SecretId' } },
    DeleteSecret: { effect: { kind: 'external', idempotentBy: '0.SecretId' } },
  }),
);
