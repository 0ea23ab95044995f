import { defineLibrary, type Registration, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const stored: Shape = { stability: 'broker-stable' };
const nothing: Shape = { call: {} };
const parsed: Shape = { call: { returns: stable } };
const read: Shape = { call: { effect: { kind: 'read' } } };

/** The callback, if one is given; else the function around the call, which iterates over the result. */
const jetstream: Registration[] = [
  { handler: ['0.callback', '1.callbackFn'], params: ['JsMsg'], acknowledgement: 'explicit', ignoresPromise: true, leased: true },
  { handler: 'enclosing', acknowledgement: 'explicit', leased: true },
];
const messages: Shape = { batch: true, element: 'JsMsg', members: { stop: nothing, close: nothing, closed: nothing, destroy: nothing, unsubscribe: nothing, pull: nothing, status: nothing } };
const receive: Shape = { call: { registers: jetstream, returns: 'ConsumerMessages' } };
const one: Shape = { call: { registers: { handler: 'enclosing', acknowledgement: 'explicit', leased: true }, returns: 'JsMsg' } };

/**
 * nats 2.29.3 and its successors @nats-io/jetstream and @nats-io/transport-node 3.4.0 (jetstream/types.d.ts, jsmsg.d.ts,
 * nats-core/core.d.ts). Core subscriptions have no redelivery. Legacy push subscriptions of v2 acknowledge by themselves
 * unless `manualAck()` is in the chain of options; taken as explicit here, since the chain alone tells.
 */
const nats = defineLibrary({
  name: 'nats',
  packages: ['nats', 'nats.ws'],
  exports: {
    connect: { call: { returns: 'NatsConnection' } },
    wsconnect: { call: { returns: 'NatsConnection' } },
    jetstream: { call: { returns: 'JetStreamClient' } },
    jetstreamManager: { call: { returns: 'JetStreamManager' } },
    consumerOpts: { call: { returns: 'ConsumerOptsBuilder' } },
    StringCodec: { call: { returns: 'Codec' } },
    JSONCodec: { call: { returns: 'Codec' } },
    headers: { call: {} },
  },
  bounds: { words: ['max_deliver', 'maxDeliver', 'backoff'], declaredBy: ['ack_policy', 'AckPolicy', 'durable_name', 'ackExplicit', 'consumerOpts'] },
  types: {
    NatsConnection: {
      members: {
        jetstream: { call: { returns: 'JetStreamClient' } },
        jetstreamManager: { call: { returns: 'JetStreamManager' } },
        subscribe: {
          call: {
            registers: [
              { handler: '1.callback', params: [{}, 'Msg'], acknowledgement: 'none', ignoresPromise: true },
              { handler: 'enclosing', acknowledgement: 'none' },
            ],
            returns: { batch: true, element: 'Msg', members: { unsubscribe: nothing, drain: nothing } },
          },
        },
        publish: { call: { effect: { kind: 'external', content: ['1', '2.headers'] }, sync: true } },
        request: { call: { effect: { kind: 'external', content: ['1', '2.headers'] }, returns: 'Msg' } },
        requestMany: { call: { effect: { kind: 'external' } } },
        flush: nothing,
        drain: nothing,
        close: nothing,
        closed: nothing,
        status: nothing,
      },
    },
    JetStreamClient: {
      members: {
        consumers: { members: { get: { call: { returns: 'Consumer' } }, getPushConsumer: { call: { returns: 'Consumer' } }, getBoundPushConsumer: { call: { returns: 'Consumer' } } } },
        publish: { call: { effect: { kind: 'external', key: ['2.msgID', '2.headers'], content: ['1', '2.headers'] } } },
        subscribe: receive,
        pullSubscribe: receive,
        fetch: receive,
        pull: one,
        jetstreamManager: { call: { returns: 'JetStreamManager' } },
      },
    },
    JetStreamManager: { members: { jetstream: { call: { returns: 'JetStreamClient' } } }, anyMember: { anyMember: { call: {} } } },
    Consumer: { members: { consume: receive, fetch: receive, next: one, info: read, delete: nothing } },
    PushConsumer: { members: { consume: receive, info: read, delete: nothing } },
    ConsumerMessages: messages,
    ConsumerOptsBuilder: {
      members: { callback: { call: { returns: 'this', registers: { handler: '0', params: [{}, 'JsMsg'], acknowledgement: 'explicit', ignoresPromise: true, leased: true } } } },
      anyMember: { call: { returns: 'this' } },
    },
    JsMsg: {
      message: true,
      producerId: { path: ".headers?.get('Nats-Msg-Id') ?? ''", set: '`js.publish(…, { msgID })`' },
      members: {
        data: stable,
        headers: stable,
        subject: stable,
        json: parsed,
        string: parsed,
        seq: stored,
        sid: { stability: 'delivery' },
        time: stored,
        timestamp: stored,
        timestampNanos: stored,
        redelivered: { stability: 'delivery' },
        reply: { stability: 'delivery' },
        info: { stability: 'delivery', members: { stream: stored, streamSequence: stored, consumer: stored, timestampNanos: stored } },
        ack: { call: { settles: { as: 'ack', message: 'this' } } },
        ackAck: { call: { settles: { as: 'ack', message: 'this' } } },
        nak: { call: { settles: { as: 'nack', message: 'this', requeues: { default: true, delay: '0' } } } },
        term: { call: { settles: { as: 'nack', message: 'this' } } },
        // Acknowledges and asks for the next one.
        next: { call: { settles: { as: 'ack', message: 'this' } } },
        working: nothing,
      },
    },
    Msg: { message: true, members: { data: stable, headers: stable, subject: stable, json: parsed, string: parsed, reply: { stability: 'delivery' }, respond: nothing } },
    Codec: { members: { decode: { call: { derives: true } }, encode: { call: { derives: true } } } },
  },
});

export default nats;

/** Version 3 spreads the same client over several packages. */
export const natsIo = defineLibrary({
  ...nats,
  name: '@nats-io/jetstream',
  packages: ['@nats-io/jetstream', '@nats-io/transport-node', '@nats-io/transport-deno', '@nats-io/nats-core'],
});
