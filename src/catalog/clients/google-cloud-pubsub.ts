import { defineLibrary, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const stored: Shape = { stability: 'broker-stable' };
const delivery: Shape = { stability: 'delivery' };
const nothing: Shape = { call: {} };
const handler = { handler: '1', when: { arg: '0', is: ['message'] }, params: ['Message'], acknowledgement: 'explicit' as const, heldUntil: 'until its lease ends, an hour later by default' };
const on: Shape = { call: { registers: handler, returns: 'this' } };

/** The service names each stored message anew: the id does not join two publishes of one event. */
const publish: Shape = { call: { effect: { kind: 'external', content: ['0', '1'] }, nodeCallback: true } };
const subscription: Shape = { call: { returns: 'Subscription' } };
const topic: Shape = { call: { returns: 'Topic' } };

/**
 * @google-cloud/pubsub 5.3.1, 6.3.2 alike (build/src/subscriber.d.ts, topic.d.ts, v1/subscriber_client.d.ts). The listener's
 * promise is nobody's: `ack` settles, the first call wins. What is left is leased for up to an hour and counts against the flow control. `ack` is sent later in a batch; on exactly-once subscriptions `ackWithResponse` confirms.
 */
export default defineLibrary({
  name: '@google-cloud/pubsub',
  packages: ['@google-cloud/pubsub'],
  exports: {
    PubSub: { construct: { returns: 'PubSub' } },
    v1: { members: { SubscriberClient: { construct: { returns: 'SubscriberClient' } } } },
  },
  types: {
    PubSub: {
      members: {
        subscription,
        topic,
        createSubscription: { call: { returns: { element: 'Subscription' }, nodeCallback: true } },
        createTopic: { call: { returns: { element: 'Topic' }, nodeCallback: true } },
        getTopics: { call: { returns: { element: 'Topic' } } },
        close: nothing,
      },
    },
    Topic: {
      members: {
        publishMessage: publish,
        publish,
        publishJSON: publish,
        publisher: 'Topic',
        subscription,
        createSubscription: { call: { returns: { element: 'Subscription' }, nodeCallback: true } },
        flowControlled: { call: { returns: { members: { publish, publishMessage: publish, all: nothing } } } },
        get: { call: { returns: { element: 'Topic' } } },
        exists: nothing,
        flush: nothing,
        resumePublishing: nothing,
        setPublishOptions: nothing,
      },
    },
    Subscription: {
      members: {
        on,
        once: on,
        addListener: on,
        get: { call: { returns: { element: 'Subscription' } } },
        exists: nothing,
        close: nothing,
        open: nothing,
        removeListener: nothing,
        removeAllListeners: nothing,
        setOptions: nothing,
      },
    },
    Message: {
      message: true,
      members: {
        data: stable,
        attributes: stable,
        orderingKey: stable,
        id: stored,
        publishTime: stored,
        ackId: delivery,
        deliveryAttempt: delivery,
        received: delivery,
        ack: { call: { settles: { as: 'ack', message: 'this' } } },
        ackWithResponse: { call: { settles: { as: 'ack', message: 'this' } } },
        nack: { call: { settles: { as: 'nack', message: 'this' } } },
        nackWithResponse: { call: { settles: { as: 'nack', message: 'this' } } },
        modAck: nothing,
        modAckWithResponse: nothing,
      },
    },
    SubscriberClient: {
      members: {
        pull: {
          call: {
            registers: { handler: 'enclosing', acknowledgement: 'explicit' },
            returns: { members: { '0': { members: { receivedMessages: { batch: true, element: 'ReceivedMessage' } } } } },
          },
        },
        acknowledge: { call: { settles: { as: 'ack', message: '0.ackIds' } } },
        modifyAckDeadline: { call: { settles: { as: 'nack', message: '0.ackIds', when: { arg: '0.ackDeadlineSeconds', is: [0] } } } },
        subscriptionPath: { call: { derives: true } },
      },
    },
    ReceivedMessage: {
      message: true,
      members: {
        ackId: delivery,
        deliveryAttempt: delivery,
        message: { message: true, members: { data: stable, attributes: stable, orderingKey: stable, messageId: stored, publishTime: stored } },
      },
    },
  },
});
