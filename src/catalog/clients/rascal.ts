import { defineLibrary, type Registration, type Shape } from '../schema.js';

const nothing: Shape = { call: {} };
const payload: Shape = { message: true, stability: 'producer-stable' };
/** `ackOrNack()` acknowledges, `ackOrNack(error, recovery)` refuses. */
const ackOrNack: Shape = { call: { settles: { as: 'callback', upTo: '1.all', requeues: { arg: '1.requeue', default: false, delay: '1.defer' } } } };

const listener: Registration[] = [
  { handler: '1', when: { arg: '0', is: ['message'] }, params: ['amqplib#ConsumeMessage', payload, ackOrNack], acknowledgement: 'explicit', heldUntil: 'until its channel closes' },
  {
    handler: '1',
    when: { arg: '0', is: ['invalid_content', 'invalid_message', 'redeliveries_exceeded', 'redeliveries_error'] },
    params: [{}, 'amqplib#ConsumeMessage', ackOrNack],
    acknowledgement: 'explicit',
    heldUntil: 'until its channel closes',
  },
];
const publish: Shape = { call: { effect: { kind: 'external', key: ['2.options.messageId', '2.options.headers'], keyIsCarried: true, content: '1' }, nodeCallback: true } };

const broker: Shape = {
  members: {
    subscribe: { call: { returns: 'SubscriptionSession', nodeCallback: true } },
    subscribeAll: { call: { returns: { element: 'SubscriptionSession' }, nodeCallback: true } },
    publish,
    forward: publish,
    on: { call: { returns: 'this' } },
    connect: nothing,
    shutdown: nothing,
    nuke: nothing,
    purge: nothing,
    bounce: nothing,
    unsubscribeAll: nothing,
  },
};
const create: Shape = { members: { create: { call: { returns: 'Broker', nodeCallback: true } } } };

/** rascal 21.0.1 (lib/amqp/Broker.js, Subscription.js, Publication.js; @types/rascal). A session with `noAck` in its configuration acknowledges on delivery. */
export default defineLibrary({
  name: 'rascal',
  packages: ['rascal'],
  exports: { BrokerAsPromised: create, Broker: create, createBroker: { call: { returns: 'Broker', nodeCallback: true } }, createBrokerAsPromised: { call: { returns: 'Broker' } } },
  types: {
    Broker: broker,
    BrokerAsPromised: broker,
    SubscriptionSession: { members: { on: { call: { registers: listener, returns: 'this' } }, cancel: nothing, isCancelled: nothing } },
    SubscriberSessionAsPromised: { members: { on: { call: { registers: listener, returns: 'this' } }, cancel: nothing } },
    AckOrNack: ackOrNack,
  },
});
