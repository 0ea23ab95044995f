import { defineLibrary, type Registration, type Shape } from '../schema.js';

const nothing: Shape = { call: {} };
const ack: Shape = { call: { settles: { as: 'ack', message: '0' } } };
const nack: Shape = { call: { settles: { as: 'nack', message: '0' } } };
const action = { handler: '1', params: ['@azure/service-bus#ServiceBusReceivedMessage'] };
const registers: Registration[] = [
  { ...action, when: { arg: '0.autoCompleteMessages', is: [true] }, acknowledgement: 'on-return' },
  { ...action, acknowledgement: 'explicit' },
];
const send: Shape = { call: { effect: { kind: 'external', key: '0.messageId' } } };
const receive: Shape = { call: { registers: { handler: 'enclosing', acknowledgement: 'explicit' }, returns: { batch: true, element: '@azure/service-bus#ServiceBusReceivedMessage' } } };

/**
 * ffc-messaging 2.10.8 (app/messaging/message-receiver.js, message-sender.js): receivers and senders around
 * @azure/service-bus. The second argument of the constructor is called with each message; nothing is completed by itself
 * unless the configuration has `autoCompleteMessages`.
 */
export default defineLibrary({
  name: 'ffc-messaging',
  packages: ['ffc-messaging'],
  exports: {
    MessageReceiver: { construct: { registers, returns: 'MessageReceiver' }, extendable: true },
    MessageSender: { construct: { returns: 'MessageSender' }, extendable: true },
    MessageBatchSender: { construct: { returns: 'MessageSender' }, extendable: true },
  },
  types: {
    MessageReceiver: {
      members: {
        completeMessage: ack,
        abandonMessage: nack,
        deadLetterMessage: nack,
        // Set aside under its sequence number: it does not come back by itself.
        deferMessage: ack,
        receiveMessages: receive,
        peekMessages: { call: { effect: { kind: 'read' } } },
        subscribe: nothing,
        acceptSession: nothing,
        acceptNextSession: nothing,
        closeConnection: nothing,
      },
    },
    MessageSender: {
      members: {
        sendMessage: send,
        scheduleMessage: send,
        sendBatchMessages: { call: { effect: { kind: 'external', key: '0.*.messageId' } } },
        closeConnection: nothing,
      },
    },
  },
});
