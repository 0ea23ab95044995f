import { defineLibrary, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const topology: Shape = { call: { nodeCallback: true } };
/** What is not settled yet goes back to the queue. */
const released: Shape = { call: { releases: true, nodeCallback: true } };

const channel: Shape = {
  members: {
    consume: {
      call: { registers: { handler: '1', params: ['ConsumeMessage'], acknowledgement: 'explicit', autoAck: { option: '2.noAck', value: true, default: false }, heldUntil: 'until its channel closes' } },
    },
    get: {
      call: {
        registers: { handler: 'enclosing', acknowledgement: 'explicit', autoAck: { option: '1.noAck', value: true, default: false }, heldUntil: 'until its channel closes' },
        returns: 'GetMessage',
        nodeCallback: true,
      },
    },
    // The broker answers the second settlement of a delivery with 406 PRECONDITION_FAILED and closes the channel.
    ack: { call: { settles: { as: 'ack', message: '0', upTo: '1', again: 'closes-channel' } } },
    ackAll: { call: { settles: { as: 'ack', upTo: true } } },
    nack: { call: { settles: { as: 'nack', message: '0', upTo: '1', requeues: { arg: '2', default: true }, again: 'closes-channel' } } },
    nackAll: { call: { settles: { as: 'nack', upTo: true, requeues: { arg: '0', default: true } } } },
    reject: { call: { settles: { as: 'nack', message: '0', requeues: { arg: '1', default: true }, again: 'closes-channel' } } },
    // Written to a buffer and sent in order; only a confirm channel tells whether the broker has it.
    publish: { call: { effect: { kind: 'external', key: ['3.messageId', '3.headers'], keyIsCarried: true, content: ['2', '3.headers', '3.correlationId'] }, sync: true } },
    sendToQueue: { call: { effect: { kind: 'external', key: ['2.messageId', '2.headers'], keyIsCarried: true, content: ['1', '2.headers', '2.correlationId'] }, sync: true } },
    waitForConfirms: topology,
    assertQueue: topology,
    assertExchange: topology,
    checkQueue: topology,
    checkExchange: topology,
    deleteQueue: topology,
    deleteExchange: topology,
    purgeQueue: topology,
    bindQueue: topology,
    bindExchange: topology,
    unbindQueue: topology,
    unbindExchange: topology,
    prefetch: topology,
    recover: released,
    cancel: topology,
    close: released,
    on: { call: { returns: 'this' } },
    once: { call: { returns: 'this' } },
  },
};

/** Quorum queues bound deliveries, classic ones do not, whatever their dead-letter exchange. */
export const AMQP_BOUNDS = ['x-delivery-limit', 'delivery-limit', 'deliveryLimit', 'quorum'];

const connection: Shape = {
  members: {
    createChannel: { call: { returns: 'Channel', nodeCallback: true } },
    createConfirmChannel: { call: { returns: 'ConfirmChannel', nodeCallback: true } },
    waitForConnect: { call: { returns: 'this' } },
    close: released,
    on: { call: { returns: 'this' } },
    once: { call: { returns: 'this' } },
  },
};

const message: Shape = {
  message: true,
  producerId: { path: '.properties.messageId', set: '`channel.publish(…, { messageId })`' },
  members: {
    content: stable,
    properties: stable,
    fields: { stability: 'delivery', members: { exchange: stable, routingKey: stable } },
  },
};

/**
 * amqplib 2.3.1 (index.d.ts, callback_api.d.ts). The promise API and the callback API share their names; the latter takes
 * node callbacks. With recovery, `connect(url, { recovery: { setup(connection) {…} } })` runs `setup` after each reconnect.
 * `noAck` is false by default; the channel's `ack` returns nothing. A rejected promise of the handler is nobody's: the
 * message stays unacknowledged until the channel closes.
 */
export default defineLibrary({
  name: 'amqplib',
  packages: ['amqplib', 'amqplib/callback_api', 'amqplib/callback_api.js', 'amqplib/channel_api', 'amqplib/channel_api.js'],
  distinctive: { methods: { createChannel: { call: { returns: 'Channel', nodeCallback: true } }, createConfirmChannel: { call: { returns: 'ConfirmChannel', nodeCallback: true } } } },
  exports: {
    connect: {
      call: {
        returns: 'ChannelModel',
        nodeCallback: true,
        runs: [{ function: '1.recovery.setup', times: 'many', promise: 'awaited', params: ['ChannelModel'] }],
      },
    },
  },
  bounds: { words: AMQP_BOUNDS },
  types: {
    Connection: connection,
    ChannelModel: connection,
    RecoveringChannelModel: connection,
    Channel: channel,
    ConfirmChannel: channel,
    Message: message,
    ConsumeMessage: message,
    GetMessage: message,
  },
});
