import { defineLibrary, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const nothing: Shape = { call: {} };
const topology: Shape = { call: { nodeCallback: true } };

const channel: Shape = {
  members: {
    consume: {
      call: { registers: { handler: '1', params: ['ConsumeMessage'], acknowledgement: 'explicit', autoAck: { option: '2.noAck', value: true, default: false } } },
    },
    get: {
      call: {
        registers: { handler: 'enclosing', acknowledgement: 'explicit', autoAck: { option: '1.noAck', value: true, default: false } },
        returns: 'GetMessage',
        nodeCallback: true,
      },
    },
    ack: { call: { settles: { as: 'ack', message: '0' } } },
    ackAll: { call: { settles: { as: 'ack', upTo: true } } },
    nack: { call: { settles: { as: 'nack', message: '0' } } },
    nackAll: { call: { settles: { as: 'nack', upTo: true } } },
    reject: { call: { settles: { as: 'nack', message: '0' } } },
    // Written to a buffer and sent in order; only a confirm channel tells whether the broker has it.
    publish: { call: { effect: { kind: 'external', key: ['3.messageId', '3.headers'] }, sync: true } },
    sendToQueue: { call: { effect: { kind: 'external', key: ['2.messageId', '2.headers'] }, sync: true } },
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
    recover: topology,
    cancel: topology,
    close: topology,
    on: { call: { returns: 'this' } },
    once: { call: { returns: 'this' } },
  },
};

const connection: Shape = {
  members: {
    createChannel: { call: { returns: 'Channel', nodeCallback: true } },
    createConfirmChannel: { call: { returns: 'ConfirmChannel', nodeCallback: true } },
    waitForConnect: { call: { returns: 'this' } },
    close: nothing,
    on: { call: { returns: 'this' } },
    once: { call: { returns: 'this' } },
  },
};

const message: Shape = {
  message: true,
  members: {
    content: stable,
    properties: stable,
    fields: { stability: 'delivery', members: { exchange: stable, routingKey: stable } },
  },
};

/**
 * amqplib 2.3.1 (index.d.ts, callback_api.d.ts). The promise API and the callback API share their names; the latter takes
 * node callbacks. With recovery, `connect(url, { recovery: { setup(connection) {…} } })` runs `setup` after each reconnect.
 * `noAck` is false by default; the channel's `ack` returns nothing.
 */
export default defineLibrary({
  name: 'amqplib',
  packages: ['amqplib', 'amqplib/callback_api', 'amqplib/callback_api.js', 'amqplib/channel_api', 'amqplib/channel_api.js'],
  exports: {
    connect: {
      call: {
        returns: 'ChannelModel',
        nodeCallback: true,
        runs: [{ function: '1.recovery.setup', times: 'many', promise: 'awaited', params: ['ChannelModel'] }],
      },
    },
  },
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
