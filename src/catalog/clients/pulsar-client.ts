import { defineLibrary, type Shape } from '../schema.js';

const nothing: Shape = { call: {} };
const gives = (stability: 'producer-stable' | 'broker-stable' | 'delivery'): Shape => ({ call: { returns: { stability } } });

/**
 * pulsar-client 1.18.0 (index.d.ts). A negative acknowledgement brings the message back after a minute; without any, it
 * waits for the connection to end. The broker deduplicates by producer name and sequence id only if told to.
 */
export default defineLibrary({
  name: 'pulsar-client',
  packages: ['pulsar-client'],
  exports: {
    Client: { construct: { returns: 'Client' } },
    default: { members: { Client: { construct: { returns: 'Client' } } } },
  },
  types: {
    Client: {
      members: {
        subscribe: {
          call: { registers: { handler: '0.listener', params: ['Message', 'Consumer'], acknowledgement: 'explicit', heldUntil: 'until the consumer is closed' }, returns: 'Consumer' },
        },
        createProducer: { call: { returns: 'Producer' } },
        createReader: { call: { registers: { handler: '0.listener', params: ['Message', 'Reader'], acknowledgement: 'none' }, returns: 'Reader' } },
        getPartitionsForTopic: nothing,
        close: nothing,
      },
    },
    Consumer: {
      members: {
        receive: { call: { registers: { handler: 'enclosing', acknowledgement: 'explicit', heldUntil: 'until the consumer is closed' }, returns: 'Message' } },
        batchReceive: { call: { registers: { handler: 'enclosing', acknowledgement: 'explicit', heldUntil: 'until the consumer is closed' }, returns: { batch: true, element: 'Message' } } },
        acknowledge: { call: { settles: { as: 'ack', message: '0' } } },
        acknowledgeId: { call: { settles: { as: 'ack', message: '0' } } },
        acknowledgeCumulative: { call: { settles: { as: 'ack', message: '0', upTo: true } } },
        acknowledgeCumulativeId: { call: { settles: { as: 'ack', message: '0', upTo: true } } },
        negativeAcknowledge: { call: { settles: { as: 'nack', message: '0' } } },
        negativeAcknowledgeId: { call: { settles: { as: 'nack', message: '0' } } },
        isConnected: nothing,
        seek: nothing,
        seekTimestamp: nothing,
        unsubscribe: nothing,
        close: nothing,
      },
    },
    Reader: {
      members: {
        readNext: { call: { registers: { handler: 'enclosing', acknowledgement: 'none' }, returns: 'Message' } },
        hasNext: nothing,
        close: nothing,
      },
    },
    Producer: {
      members: { send: { call: { effect: { kind: 'external', key: ['0.sequenceId', '0.properties'], keyIsCarried: true, content: '0' } } }, flush: nothing, close: nothing },
    },
    Message: {
      message: true,
      members: {
        getData: gives('producer-stable'),
        getProperties: gives('producer-stable'),
        getPartitionKey: gives('producer-stable'),
        getOrderingKey: gives('producer-stable'),
        getTopicName: gives('producer-stable'),
        getEventTimestamp: gives('producer-stable'),
        getProducerName: gives('producer-stable'),
        getMessageId: gives('broker-stable'),
        getPublishTimestamp: gives('broker-stable'),
        getRedeliveryCount: gives('delivery'),
      },
    },
  },
});
