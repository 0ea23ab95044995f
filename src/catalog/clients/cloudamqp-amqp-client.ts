import { defineLibrary, type Registration, type Shape } from '../schema.js';
import { AMQP_BOUNDS } from './amqplib.js';

const stable: Shape = { stability: 'producer-stable' };
const delivery: Shape = { stability: 'delivery' };
const nothing: Shape = { call: {} };
const heldUntil = 'until its channel closes';

/** Low level: acknowledged on delivery unless `noAck` is false. */
const consume = (handler: string, option: string): Registration => ({
  handler,
  params: ['AMQPMessage'],
  acknowledgement: 'explicit',
  autoAck: { option, value: true, default: true },
  heldUntil,
});
const get = (option: string): Shape => ({
  call: { registers: { handler: 'enclosing', acknowledgement: 'explicit', autoAck: { option, value: true, default: true }, heldUntil }, returns: 'AMQPMessage' },
});
const client: Shape = { construct: { returns: 'AMQPClient' } };

/**
 * @cloudamqp/amqp-client 4.1.1 (types/amqp-session.d.ts, amqp-queue.d.ts, amqp-channel.d.ts, amqp-message.d.ts). The session's
 * `subscribe` acknowledges when the callback's promise is fulfilled; below it `noAck` is true by default. Unlike in amqplib,
 * a message's own `nack()` does not requeue.
 */
export default defineLibrary({
  name: '@cloudamqp/amqp-client',
  packages: ['@cloudamqp/amqp-client'],
  exports: {
    AMQPClient: client,
    AMQPWebSocketClient: client,
    AMQPSession: { members: { connect: { call: { returns: 'AMQPSession' } } } },
  },
  bounds: { words: [...AMQP_BOUNDS, 'requeueOnNack'] },
  types: {
    AMQPSession: { members: { queue: { call: { returns: 'SessionQueue' } }, exchange: { call: { returns: 'Exchange' } }, stop: nothing, close: nothing } },
    SessionQueue: {
      members: {
        subscribe: {
          call: {
            registers: [
              { handler: '1', when: { arg: '0.manualAck', is: [true] }, params: ['AMQPMessage'], acknowledgement: 'explicit', heldUntil },
              {
                handler: ['1', '0'],
                params: ['AMQPMessage'],
                acknowledgement: 'on-return',
                autoAck: { option: '0.noAck', value: true, default: false },
                requeuesOnThrow: { option: '0.requeueOnNack', default: true },
              },
            ],
          },
        },
        get: get('0.noAck'),
        publish: { call: { effect: { kind: 'external', key: ['1.messageId', '1.headers'], keyIsCarried: true, content: ['0', '1.headers', '1.correlationId'] } } },
        bind: nothing,
        delete: nothing,
        purge: nothing,
      },
    },
    Exchange: { members: { publish: { call: { effect: { kind: 'external', key: ['1.messageId', '1.headers'], keyIsCarried: true, content: ['0', '1.headers', '1.correlationId'] } } }, bind: nothing } },
    AMQPClient: { members: { connect: { call: { returns: 'AMQPConnection' } }, channel: { call: { returns: 'AMQPChannel' } }, close: nothing } },
    AMQPConnection: { members: { channel: { call: { returns: 'AMQPChannel' } }, close: nothing } },
    AMQPChannel: {
      members: {
        basicConsume: { call: { registers: consume('2', '1.noAck') } },
        basicGet: get('1.noAck'),
        basicAck: { call: { settles: { as: 'ack', message: '0', upTo: '1', again: 'closes-channel' } } },
        basicNack: { call: { settles: { as: 'nack', message: '0', requeues: { arg: '1', default: false }, upTo: '2', again: 'closes-channel' } } },
        basicReject: { call: { settles: { as: 'nack', message: '0', requeues: { arg: '1', default: false }, again: 'closes-channel' } } },
        basicPublish: { call: { effect: { kind: 'external', key: ['3.messageId', '3.headers'], keyIsCarried: true, content: ['2', '3.headers', '3.correlationId'] } } },
        queue: { call: { returns: 'AMQPQueue' } },
        prefetch: nothing,
        basicQos: nothing,
        basicCancel: nothing,
        queueDeclare: nothing,
        queueBind: nothing,
        exchangeDeclare: nothing,
        confirmSelect: nothing,
        close: { call: { releases: true } },
      },
    },
    AMQPQueue: {
      members: {
        subscribe: { call: { registers: consume('1', '0.noAck') } },
        get: get('0.noAck'),
        publish: { call: { effect: { kind: 'external', key: ['1.messageId', '1.headers'], keyIsCarried: true, content: ['0', '1.headers', '1.correlationId'] } } },
        bind: nothing,
        unsubscribe: nothing,
        delete: nothing,
        purge: nothing,
      },
    },
    AMQPMessage: {
      message: true,
      members: {
        body: stable,
        bodyString: { call: { returns: stable } },
        properties: stable,
        exchange: stable,
        routingKey: stable,
        deliveryTag: delivery,
        consumerTag: delivery,
        redelivered: delivery,
        ack: { call: { settles: { as: 'ack', message: 'this', upTo: '0', again: 'closes-channel' } } },
        nack: { call: { settles: { as: 'nack', message: 'this', requeues: { arg: '0', default: false }, upTo: '1', again: 'closes-channel' } } },
        reject: { call: { settles: { as: 'nack', message: 'this', requeues: { arg: '0', default: false }, again: 'closes-channel' } } },
      },
    },
  },
});
