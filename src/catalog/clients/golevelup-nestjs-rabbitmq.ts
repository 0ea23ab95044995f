import { defineLibrary, type Registration, type Shape } from '../schema.js';
import { AMQP_BOUNDS } from './amqplib.js';

const nothing: Shape = { call: {} };
const payload: Shape = { message: true, stability: 'producer-stable' };
const headers: Shape = { stability: 'producer-stable' };

const handler: Registration = {
  handler: 'decorated',
  params: [payload, 'amqplib#ConsumeMessage', headers],
  paramDecorators: { RabbitPayload: payload, RabbitRequest: 'amqplib#ConsumeMessage', RabbitHeader: headers },
  acknowledgement: 'on-return',
  requeuesOnThrow: { option: '0.errorBehavior', default: true },
};

/**
 * @golevelup/nestjs-rabbitmq 9.0.2 (rabbitmq.decorators.d.ts, amqp/connection.d.ts). The handler's promise acknowledges; a
 * throw requeues by default, `return new Nack()` dead-letters and `new Nack(true)` requeues.
 */
export default defineLibrary({
  name: '@golevelup/nestjs-rabbitmq',
  packages: ['@golevelup/nestjs-rabbitmq'],
  exports: {
    RabbitSubscribe: { decorator: handler },
    RabbitRPC: { decorator: handler },
    RabbitHandler: { decorator: handler },
    Nack: { construct: { settles: { as: 'nack', requeues: { arg: '0', default: false } } } },
    AmqpConnection: { construct: { returns: 'AmqpConnection' } },
  },
  // What answers an error can be said for a handler and for the whole module.
  bounds: { words: [...AMQP_BOUNDS, 'errorBehavior', 'ErrorBehavior', 'errorHandler', 'ErrorHandler'] },
  types: {
    AmqpConnection: {
      members: {
        createSubscriber: { call: { registers: { ...handler, handler: '0' } } },
        createRpc: { call: { registers: { ...handler, handler: '0' } } },
        createBatchSubscriber: {
          call: {
            registers: {
              handler: '0',
              params: [{ batch: true, element: payload }, { batch: true, element: 'amqplib#ConsumeMessage' }, { element: headers }],
              acknowledgement: 'on-return',
            },
          },
        },
        publish: { call: { effect: { kind: 'external', key: ['3.messageId', '3.headers'], keyIsCarried: true, content: ['2', '3.headers', '3.correlationId'] } } },
        request: { call: { effect: { kind: 'external' }, returns: {} } },
        channel: 'amqplib#ConfirmChannel',
        connection: 'amqplib#ChannelModel',
        managedChannel: 'amqp-connection-manager#ChannelWrapper',
        managedConnection: 'amqp-connection-manager#AmqpConnectionManager',
        channels: { anyMember: 'amqplib#ConfirmChannel' },
        managedChannels: { anyMember: 'amqp-connection-manager#ChannelWrapper' },
        init: nothing,
        cancelConsumer: nothing,
        close: nothing,
      },
    },
  },
});
