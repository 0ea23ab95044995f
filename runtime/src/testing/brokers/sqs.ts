/**
 * In the place of `@aws-sdk/client-sqs`: a received message is done when it is deleted; else it comes again with another
 * receipt handle. For a Lambda function see {@link sqsLambda}.
 */
import { publish } from '../delivery.js';
import type { Delivery, Scenario } from '../scenario.js';
import { Pull, readable, text } from './pull.js';

class Command<Input> {
  constructor(readonly input: Input) {}
}

interface Entry {
  QueueUrl?: string;
  Id?: string;
  MessageBody?: string;
  MessageDeduplicationId?: string;
  ReceiptHandle?: string;
  VisibilityTimeout?: number;
}

export class ReceiveMessageCommand extends Command<{ QueueUrl: string }> {}
export class DeleteMessageCommand extends Command<Entry> {}
export class DeleteMessageBatchCommand extends Command<{ Entries: Entry[] }> {}
export class ChangeMessageVisibilityCommand extends Command<Entry> {}
export class SendMessageCommand extends Command<Entry> {}
export class SendMessageBatchCommand extends Command<{ QueueUrl: string; Entries: Entry[] }> {}

const queues = new Map<string, Pull>();
const open = new Map<string, Delivery>();

const nameOf = (url: string | undefined): string => url?.split('/').at(-1) ?? 'queue';

export class SQSClient {
  async send(command: unknown): Promise<object> {
    if (command instanceof ReceiveMessageCommand) return this.receive(command.input.QueueUrl);
    if (command instanceof DeleteMessageCommand) return deleted([command.input]);
    if (command instanceof DeleteMessageBatchCommand) return deleted(command.input.Entries);
    if (command instanceof ChangeMessageVisibilityCommand) {
      if (command.input.VisibilityTimeout === 0) open.get(command.input.ReceiptHandle ?? '')?.nack();
      return {};
    }
    if (command instanceof SendMessageCommand) return sent(command.input.QueueUrl, [command.input]);
    if (command instanceof SendMessageBatchCommand) return sent(command.input.QueueUrl, command.input.Entries);
    throw new Error(`The harness's SQS client does not know ${String((command as object).constructor.name)}. Declare it with effect(), or give a fake of your own in fakes.`);
  }

  private async receive(url: string): Promise<object> {
    const name = nameOf(url);
    const queue = queues.get(name) ?? new Pull(name);
    queues.set(name, queue);
    const delivery = await queue.next();
    const handle = `receipt-${delivery.tag}`;
    open.set(handle, delivery);
    const { id, body } = delivery.message;
    const Attributes = { ApproximateReceiveCount: String(delivery.attempt) };
    return { Messages: [{ MessageId: id, ReceiptHandle: handle, Body: text(body), Attributes }] };
  }

  destroy(): void {
    // Nothing is open.
  }
}

function deleted(entries: Entry[]): object {
  for (const { ReceiptHandle = '' } of entries) open.get(ReceiptHandle)?.ack();
  return { Successful: entries.map(({ Id }) => ({ Id })), Failed: [] };
}

async function sent(url: string | undefined, entries: Entry[]): Promise<object> {
  for (const entry of entries) {
    await publish(nameOf(url), readable(entry.MessageBody), { id: entry.MessageDeduplicationId });
  }
  return { MessageId: 'sent', Successful: entries.map(({ Id }) => ({ Id })), Failed: [] };
}

type LambdaHandler = (event: never, context: never, callback: never) => unknown;

/**
 * The scenario's `consume` for a Lambda function that SQS calls: its return deletes the message, unless it stands among
 * the `batchItemFailures`; a throw leaves it.
 */
export function sqsLambda(handler: LambdaHandler): Required<Pick<Scenario, 'consume' | 'acknowledge'>> {
  return {
    acknowledge: 'return',
    consume: async ({ message, tag, attempt }) => {
      const record = {
        messageId: message.id ?? 'message',
        receiptHandle: `receipt-${tag}`,
        body: text(message.body),
        attributes: { ApproximateReceiveCount: String(attempt) },
        messageAttributes: {},
        eventSource: 'aws:sqs',
      };
      const answer = (await handler({ Records: [record] } as never, {} as never, undefined as never)) as
        { batchItemFailures?: { itemIdentifier: string }[] } | undefined;
      if (answer?.batchItemFailures?.some(({ itemIdentifier }) => itemIdentifier === record.messageId)) {
        throw new Error('The function reported the message as failed.');
      }
    },
  };
}
