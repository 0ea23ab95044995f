import { defineLibrary, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const nothing: Shape = { call: {} };

/** The packet carries user properties since MQTT 5, and nothing that a broker would deduplicate by. */
const key = '2.properties.userProperties';
const publish: Shape = { call: { effect: { kind: 'external', key, keyIsCarried: true, content: ['1', '0'] }, sync: true, nodeCallback: true, returns: 'this' } };
const publishAsync: Shape = { call: { effect: { kind: 'external', key, keyIsCarried: true, content: ['1', '0'] } } };

/**
 * mqtt 5.16.0 (build/lib/client.d.ts). The packet is acknowledged after the listeners have returned, their promises are
 * ignored. `client.handleMessage = (packet, callback) => …` delays the acknowledgement until its callback.
 */
export default defineLibrary({
  name: 'mqtt',
  packages: ['mqtt', 'async-mqtt'],
  exports: {
    connect: { call: { returns: 'MqttClient' } },
    connectAsync: { call: { returns: 'MqttClient' } },
    MqttClient: { construct: { returns: 'MqttClient' }, extendable: true },
  },
  types: {
    MqttClient: {
      members: {
        on: {
          call: {
            registers: {
              handler: '1',
              when: { arg: '0', is: ['message'] },
              params: [stable, { message: true, stability: 'producer-stable' }, 'IPublishPacket'],
              acknowledgement: 'on-delivery',
              ignoresPromise: true,
            },
            returns: 'this',
          },
        },
        publish,
        publishAsync,
        subscribe: nothing,
        subscribeAsync: nothing,
        unsubscribe: nothing,
        unsubscribeAsync: nothing,
        end: nothing,
        endAsync: nothing,
        reconnect: nothing,
        once: { call: { returns: 'this' } },
      },
    },
    // `messageId` is a 16-bit number that is used again.
    IPublishPacket: { message: true, members: { topic: stable, payload: stable, properties: stable, retain: stable, qos: stable, messageId: { stability: 'delivery' }, dup: { stability: 'delivery' } } },
  },
});
