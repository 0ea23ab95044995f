import { defineLibrary, type Shape } from '../schema.js';
import { AMQP_BOUNDS } from './amqplib.js';

const stable: Shape = { stability: 'producer-stable' };
const delivery: Shape = { stability: 'delivery' };
const nothing: Shape = { call: {} };
const publish: Shape = { call: { effect: { kind: 'external', key: ['0.messageId', '0.headers'], keyIsCarried: true, content: ['1', '0.headers', '0.correlationId'] } } };
const connection: Shape = { construct: { returns: 'Connection' } };

/**
 * rabbitmq-client 5.0.8 (lib/Connection.d.ts, Consumer.d.ts). The promise acknowledges, whatever it gives but 1 (requeue)
 * and 2 (drop); a throw requeues by default.
 */
export default defineLibrary({
  name: 'rabbitmq-client',
  packages: ['rabbitmq-client'],
  exports: {
    Connection: connection,
    default: connection,
    ConsumerStatus: { members: { ACK: { constant: 0 }, REQUEUE: { constant: 1 }, DROP: { constant: 2 } } },
  },
  bounds: { words: AMQP_BOUNDS },
  types: {
    Connection: {
      members: {
        createConsumer: {
          call: {
            registers: {
              handler: '1',
              params: ['AsyncMessage', { call: { effect: { kind: 'external' } } }],
              acknowledgement: 'on-return',
              refuses: [1, 2],
              autoAck: { option: '0.noAck', value: true, default: false },
              requeuesOnThrow: { option: '0.requeue', default: true },
            },
          },
        },
        createPublisher: { call: { returns: 'Publisher' } },
        createRPCClient: { call: { returns: 'Publisher' } },
        acquire: { call: { returns: 'Channel' } },
        basicGet: { call: { registers: { handler: 'enclosing', acknowledgement: 'explicit', autoAck: { option: '0.noAck', value: true, default: false } }, returns: 'AsyncMessage' } },
        queueDeclare: nothing,
        exchangeDeclare: nothing,
        queueBind: nothing,
        on: { call: { returns: 'this' } },
        close: nothing,
      },
    },
    Channel: {
      members: {
        basicConsume: { call: { registers: { handler: '1', params: ['AsyncMessage'], acknowledgement: 'explicit', autoAck: { option: '0.noAck', value: true, default: false }, heldUntil: 'until its channel closes' } } },
        basicGet: { call: { registers: { handler: 'enclosing', acknowledgement: 'explicit' }, returns: 'AsyncMessage' } },
        basicAck: { call: { settles: { as: 'ack', message: '0.deliveryTag', upTo: '0.multiple', again: 'closes-channel' } } },
        basicNack: { call: { settles: { as: 'nack', message: '0.deliveryTag', upTo: '0.multiple', requeues: { arg: '0.requeue', default: true }, again: 'closes-channel' } } },
        basicReject: { call: { settles: { as: 'nack', message: '0.deliveryTag', requeues: { arg: '0.requeue', default: true }, again: 'closes-channel' } } },
        basicPublish: publish,
        basicQos: nothing,
        close: nothing,
      },
    },
    Publisher: { members: { send: publish, close: nothing, on: { call: { returns: 'this' } } } },
    AsyncMessage: {
      message: true,
      members: {
        body: stable,
        headers: stable,
        messageId: stable,
        correlationId: stable,
        timestamp: stable,
        routingKey: stable,
        exchange: stable,
        deliveryTag: delivery,
        redelivered: delivery,
        consumerTag: delivery,
      },
    },
  },
});
