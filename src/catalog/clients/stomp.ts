import { defineLibrary, type Registration, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const delivery: Shape = { stability: 'delivery' };
const nothing: Shape = { call: {} };

/** RabbitMQ makes `message-id` of the delivery; the producer's own id is in `amqp-message-id`. */
const headers: Shape = {
  stability: 'producer-stable',
  members: { 'message-id': delivery, ack: delivery, subscription: delivery, redelivered: delivery },
};

/** The `ack` header decides; without one the broker takes a message for done when it has sent it. */
const registrations = (option: string, params: Registration['params']): Registration[] => [
  { handler: '1', when: { arg: option, is: ['client-individual'] }, params, acknowledgement: 'explicit', heldUntil: 'until its connection ends' },
  // Cumulative: a later message may settle this one.
  { handler: '1', when: { arg: option, is: ['client'] }, params, acknowledgement: 'explicit' },
  { handler: '1', params, acknowledgement: 'on-delivery' },
];

/** @stomp/stompjs 7.5.0 (esm6/client.d.ts, i-message.d.ts). */
export const stompjs = defineLibrary({
  name: '@stomp/stompjs',
  packages: ['@stomp/stompjs'],
  exports: { Client: { construct: { returns: 'Client' } } },
  types: {
    Client: {
      members: {
        subscribe: { call: { registers: registrations('2.ack', ['IMessage']) } },
        publish: { call: { effect: { kind: 'external', key: '0.headers', keyIsCarried: true, content: ['0.body', '0.headers'] }, sync: true } },
        ack: { call: { settles: { as: 'ack', message: '0' } } },
        nack: { call: { settles: { as: 'nack', message: '0' } } },
        activate: nothing,
        deactivate: nothing,
        unsubscribe: nothing,
      },
    },
    IMessage: {
      message: true,
      members: {
        body: stable,
        binaryBody: stable,
        headers,
        ack: { call: { settles: { as: 'ack', message: 'this' } } },
        nack: { call: { settles: { as: 'nack', message: 'this' } } },
      },
    },
  },
});

/** stompit 1.0.0 (lib/Client.js, lib/Channel.js). The message is a stream with headers; with an error there is none. */
export const stompit = defineLibrary({
  name: 'stompit',
  packages: ['stompit'],
  exports: {
    connect: { call: { returns: 'Client', nodeCallback: true } },
    ChannelPool: { construct: { returns: 'ChannelFactory' } },
    ChannelFactory: { construct: { returns: 'ChannelFactory' } },
    ConnectFailover: { construct: { returns: { members: { connect: { call: { returns: 'Client', nodeCallback: true } } } } } },
  },
  types: {
    ChannelFactory: { members: { channel: { call: { returns: 'Client', nodeCallback: true } } } },
    Client: {
      members: {
        subscribe: { call: { registers: registrations('0.ack', [{ constant: false }, 'Frame']) } },
        send: { call: { effect: { kind: 'external', key: '0', keyIsCarried: true, content: ['0', '1'] }, nodeCallback: true } },
        sendString: { call: { effect: { kind: 'external', key: '0', keyIsCarried: true, content: ['0', '1'] }, nodeCallback: true } },
        ack: { call: { settles: { as: 'ack', message: '0' } } },
        nack: { call: { settles: { as: 'nack', message: '0' } } },
        disconnect: nothing,
        on: { call: { returns: 'this' } },
      },
    },
    Frame: { message: true, members: { headers, readString: { call: { returns: stable, nodeCallback: true } } } },
  },
});
