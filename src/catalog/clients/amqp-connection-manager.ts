import { defineLibrary, type Shape } from '../schema.js';
import { AMQP_BOUNDS } from './amqplib.js';

const nothing: Shape = { call: {} };
const setup: Shape = { call: { runs: [{ function: '0', times: 'many', promise: 'awaited', params: ['amqplib#ConfirmChannel'] }] } };

/**
 * amqp-connection-manager 5.0.0 (ChannelWrapper.d.ts, AmqpConnectionManager.d.ts). `setup` gets amqplib's own channel; the
 * wrapper's own `consume` registers again after a reconnect. There is no `reject`. `publish` resolves with the broker's
 * confirmation, in which it differs from amqplib.
 */
export default defineLibrary({
  name: 'amqp-connection-manager',
  packages: ['amqp-connection-manager'],
  exports: {
    connect: { call: { returns: 'AmqpConnectionManager' } },
    default: { members: { connect: { call: { returns: 'AmqpConnectionManager' } } } },
    AmqpConnectionManagerClass: { construct: { returns: 'AmqpConnectionManager' } },
  },
  bounds: { words: AMQP_BOUNDS },
  types: {
    AmqpConnectionManager: {
      members: {
        createChannel: {
          call: { returns: 'ChannelWrapper', runs: [{ function: '0.setup', times: 'many', promise: 'awaited', params: ['amqplib#ConfirmChannel'] }] },
        },
        on: { call: { returns: 'this' } },
        close: nothing,
        connect: nothing,
        reconnect: nothing,
        isConnected: nothing,
      },
    },
    IAmqpConnectionManager: {
      members: {
        createChannel: {
          call: { returns: 'ChannelWrapper', runs: [{ function: '0.setup', times: 'many', promise: 'awaited', params: ['amqplib#ConfirmChannel'] }] },
        },
      },
    },
    ChannelWrapper: {
      members: {
        addSetup: setup,
        removeSetup: nothing,
        consume: {
          call: {
            registers: { handler: '1', params: ['amqplib#ConsumeMessage'], acknowledgement: 'explicit', autoAck: { option: '2.noAck', value: true, default: false }, heldUntil: 'until its channel closes' },
          },
        },
        get: {
          call: {
            registers: { handler: 'enclosing', acknowledgement: 'explicit', autoAck: { option: '1.noAck', value: true, default: false }, heldUntil: 'until its channel closes' },
            returns: 'amqplib#GetMessage',
          },
        },
        ack: { call: { settles: { as: 'ack', message: '0', upTo: '1', again: 'closes-channel' } } },
        ackAll: { call: { settles: { as: 'ack', upTo: true } } },
        nack: { call: { settles: { as: 'nack', message: '0', upTo: '1', requeues: { arg: '2', default: true }, again: 'closes-channel' } } },
        nackAll: { call: { settles: { as: 'nack', upTo: true, requeues: { arg: '0', default: true } } } },
        publish: { call: { effect: { kind: 'external', key: ['3.messageId', '3.headers'], keyIsCarried: true, content: ['2', '3.headers', '3.correlationId'] }, nodeCallback: true } },
        sendToQueue: { call: { effect: { kind: 'external', key: ['2.messageId', '2.headers'], keyIsCarried: true, content: ['1', '2.headers', '2.correlationId'] }, nodeCallback: true } },
        waitForConnect: nothing,
        assertQueue: nothing,
        assertExchange: nothing,
        bindQueue: nothing,
        bindExchange: nothing,
        checkQueue: nothing,
        checkExchange: nothing,
        prefetch: nothing,
        cancel: nothing,
        cancelAll: nothing,
        close: { call: { releases: true } },
        on: { call: { returns: 'this' } },
        once: { call: { returns: 'this' } },
      },
    },
  },
});
