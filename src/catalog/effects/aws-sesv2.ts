import { defineLibrary, type Call } from '../schema.js';
import { alike } from '../stores/alike.js';
import { awsClient } from './aws-commands.js';

/** @aws-sdk/client-sesv2 3.1176: takes no key; a bulk send has a status for each entry. */
export default defineLibrary(
  awsClient('@aws-sdk/client-sesv2', 'SESv2', {
    ...alike('SendEmail SendBulkEmail SendCustomVerificationEmail', { effect: { kind: 'external', data: '0' } } satisfies Call),
    ...alike('GetContact GetEmailTemplate GetSuppressedDestination ListContacts', { effect: { kind: 'read' } } satisfies Call),
    ...alike('PutSuppressedDestination DeleteSuppressedDestination UpdateContact DeleteContact', { effect: { kind: 'external', idempotent: true } } satisfies Call),
  }),
);
