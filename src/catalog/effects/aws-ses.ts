import { defineLibrary, type Call } from '../schema.js';
import { alike } from '../stores/alike.js';
import { awsClient } from './aws-commands.js';

/** @aws-sdk/client-ses 3.1169: takes no key, and a retry of the SDK can send twice. */
export default defineLibrary(
  awsClient('@aws-sdk/client-ses', 'SES', {
    ...alike('SendEmail SendRawEmail SendTemplatedEmail SendBulkTemplatedEmail SendBounce', { effect: { kind: 'external', data: '0' } } satisfies Call),
    ...alike('GetTemplate GetSendQuota ListIdentities ListTemplates', { effect: { kind: 'read' } } satisfies Call),
    ...alike('UpdateTemplate DeleteTemplate DeleteIdentity', { effect: { kind: 'external', idempotent: true } } satisfies Call),
  }),
);
