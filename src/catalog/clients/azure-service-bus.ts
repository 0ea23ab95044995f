import { defineLibrary, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const stored: Shape = { stability: 'broker-stable' };
const delivery: Shape = { stability: 'delivery' };
const nothing: Shape = { call: {} };
const ack: Shape = { call: { settles: { as: 'ack', message: '0' } } };
const nack: Shape = { call: { settles: { as: 'nack', message: '0' } } };
const batch: Shape = { batch: true, element: 'ServiceBusReceivedMessage' };
const receive: Shape = { call: { registers: { handler: 'enclosing', acknowledgement: 'explicit' }, returns: batch } };
const receiver: Shape = { call: { returns: 'ServiceBusReceiver' } };

const members: Record<string, Shape> = {
  subscribe: {
    call: {
      registers: [
        { handler: '0.processMessage', when: { arg: '1.autoCompleteMessages', is: [false] }, params: ['ServiceBusReceivedMessage'], acknowledgement: 'explicit' },
        { handler: '0.processMessage', params: ['ServiceBusReceivedMessage'], acknowledgement: 'on-return' },
      ],
    },
  },
  receiveMessages: receive,
  receiveDeferredMessages: receive,
  getMessageIterator: receive,
  completeMessage: ack,
  abandonMessage: nack,
  deadLetterMessage: nack,
  // Set aside under its sequence number: it does not come back by itself.
  deferMessage: ack,
  peekMessages: { call: { effect: { kind: 'read' } } },
  renewMessageLock: nothing,
  renewSessionLock: nothing,
  getSessionState: { call: { effect: { kind: 'read' } } },
  setSessionState: { call: { effect: { kind: 'write', writeKind: 'absolute', data: '0' } } },
  close: nothing,
};

/**
 * @azure/service-bus 7.9.5 (types/latest/service-bus.d.ts). `subscribe` completes when the promise resolves, unless
 * `autoCompleteMessages` is false; the other ways to receive settle by hand. `receiveMode: 'receiveAndDelete'` settles on receipt.
 */
export default defineLibrary({
  name: '@azure/service-bus',
  packages: ['@azure/service-bus'],
  exports: { ServiceBusClient: { construct: { returns: 'ServiceBusClient' } } },
  types: {
    ServiceBusClient: {
      members: {
        createReceiver: receiver,
        acceptSession: receiver,
        acceptNextSession: receiver,
        createSender: { call: { returns: 'ServiceBusSender' } },
        close: nothing,
      },
    },
    ServiceBusReceiver: { members },
    ServiceBusSessionReceiver: { members },
    ServiceBusSender: {
      members: {
        sendMessages: { call: { effect: { kind: 'external', key: ['0.messageId', '0.*.messageId'], content: '0' } } },
        scheduleMessages: { call: { effect: { kind: 'external', key: ['0.messageId', '0.*.messageId'], content: '0' } } },
        cancelScheduledMessages: { call: { effect: { kind: 'external', idempotentBy: '0' } } },
        createMessageBatch: { call: { returns: { members: { tryAddMessage: nothing } } } },
        close: nothing,
      },
    },
    ServiceBusReceivedMessage: {
      message: true,
      members: {
        body: stable,
        applicationProperties: stable,
        messageId: stable,
        correlationId: stable,
        sessionId: stable,
        subject: stable,
        partitionKey: stable,
        sequenceNumber: stored,
        enqueuedSequenceNumber: stored,
        enqueuedTimeUtc: stored,
        lockToken: delivery,
        lockedUntilUtc: delivery,
        deliveryCount: delivery,
      },
    },
  },
});
