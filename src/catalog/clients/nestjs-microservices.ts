import { defineLibrary, type Registration, type Shape } from '../schema.js';
import { AMQP_BOUNDS } from './amqplib.js';

const stable: Shape = { stability: 'producer-stable' };
const nothing: Shape = { call: {} };
const payload: Shape = { message: true, stability: 'producer-stable' };

/** Which broker it is, and whether it redelivers, is said where the application starts, or by the context's type. */
const handler: Registration = {
  handler: 'decorated',
  params: [payload, 'BaseRpcContext'],
  paramDecorators: { Payload: payload, Ctx: 'BaseRpcContext' },
  acknowledgement: 'on-return',
  transport: 'nestjs',
};

/** `emit` publishes at once, `send` when its observable is subscribed; neither takes a key. */
const client: Shape = {
  extendable: true,
  members: {
    emit: { call: { effect: { kind: 'external', content: '1' }, returns: 'Observable' } },
    send: { call: { effect: { kind: 'external', content: '1' }, returns: 'Observable' } },
    connect: nothing,
    close: nothing,
    subscribeToResponseOf: nothing,
  },
};
const construct: Shape = { construct: { returns: 'ClientProxy' }, extendable: true };

/**
 * @nestjs/microservices 11.2.6 (decorators/*.d.ts, ctx-host/*.d.ts, client/*.d.ts). With RMQ `noAck` is true by default; with
 * false only the handler's own `ack` on the channel settles. With Kafka the handler's promise is `eachMessage`'s.
 */
export default defineLibrary({
  name: '@nestjs/microservices',
  packages: ['@nestjs/microservices'],
  exports: {
    EventPattern: { decorator: handler },
    MessagePattern: { decorator: handler },
    ClientProxyFactory: { members: { create: { call: { returns: 'ClientProxy' } } } },
    ClientKafka: construct,
    ClientRMQ: construct,
    ClientNats: construct,
    ClientRedis: construct,
    ClientMqtt: construct,
    ClientTCP: construct,
  },
  bounds: { words: AMQP_BOUNDS },
  types: {
    BaseRpcContext: { members: { getArgs: nothing, getArgByIndex: nothing } },
    RmqContext: {
      members: {
        getMessage: { call: { returns: 'amqplib#ConsumeMessage' } },
        getChannelRef: { call: { returns: 'amqplib#Channel' } },
        getPattern: { call: { returns: stable } },
      },
    },
    KafkaContext: {
      members: {
        getMessage: { call: { returns: 'kafkajs#KafkaMessage' } },
        getTopic: { call: { returns: stable } },
        getPartition: { call: { returns: { stability: 'broker-stable' } } },
        getConsumer: { call: { returns: 'kafkajs#Consumer' } },
        getProducer: { call: { returns: 'kafkajs#Producer' } },
        getHeartbeat: { call: { returns: { call: {} } } },
      },
    },
    NatsContext: { members: { getSubject: { call: { returns: stable } }, getHeaders: { call: { returns: stable } } } },
    RedisContext: { members: { getChannel: { call: { returns: stable } } } },
    // The packet's `messageId` is a 16-bit number that is used again.
    MqttContext: { members: { getTopic: { call: { returns: stable } }, getPacket: { call: { returns: 'mqtt#IPublishPacket' } } } },
    TcpContext: { members: { getPattern: { call: { returns: stable } }, getSocketRef: nothing } },
    ClientProxy: client,
    ClientKafka: client,
    ClientKafkaProxy: client,
    ClientRMQ: client,
    ClientNats: client,
    ClientRedis: client,
    ClientMqtt: client,
    ClientTCP: client,
    ClientGrpc: { members: { getService: { call: { returns: { anyMember: { call: { effect: { kind: 'external' } } } } } } } },
    Observable: { members: { subscribe: nothing, toPromise: nothing, pipe: { call: { returns: 'this' } } } },
  },
});
