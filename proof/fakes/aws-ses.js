/** In the place of `@aws-sdk/client-ses`: SES knows no key, so that each mail is one more. */
import { effect } from '@idempotent-consumers/inbox/testing';

export class SendEmailCommand {
  constructor(input) {
    this.input = input;
  }
}

export class SESClient {
  send({ input: { Destination, Message } }) {
    return effect('a mail', { body: { to: Destination.ToAddresses, subject: Message.Subject.Data } }, () => ({ MessageId: 'sent' }));
  }
}
