import { defineLibrary, type Registration, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const stored: Shape = { stability: 'broker-stable' };
const callback: Shape = { call: { settles: { as: 'callback' } } };
const cloudEvent: Registration = { handler: '1', params: ['CloudEvent', callback], acknowledgement: 'on-return', callbackParam: 1 };
const legacy: Registration = { handler: 'decorated', params: ['LegacyData', 'CloudFunctionsContext', callback], acknowledgement: 'on-return', callbackParam: 2, asyncByPromise: true };

/**
 * @google-cloud/functions-framework 5.0.5 (build/src/function_registry.d.ts, functions.d.ts). A rejection is an answer that
 * is sent again only where retries are switched on, outside the code. The event id is the message id for Pub/Sub.
 */
export default defineLibrary({
  name: '@google-cloud/functions-framework',
  packages: ['@google-cloud/functions-framework'],
  exports: {
    cloudEvent: { call: { registers: cloudEvent } },
    http: { call: { runs: [{ function: '1', times: 'many', promise: 'detached', params: ['express#Request', 'express#Response'] }] } },
  },
  types: {
    CloudEvent: {
      message: true,
      members: {
        id: stored,
        time: stored,
        source: stable,
        subject: stable,
        type: stable,
        data: {
          stability: 'producer-stable',
          members: {
            message: { message: true, stability: 'producer-stable', members: { messageId: stored, message_id: stored, publishTime: stored } },
            deliveryAttempt: { stability: 'delivery' },
          },
        },
      },
    },
    CloudEventFunction: { handlerType: { ...cloudEvent, handler: 'decorated', params: ['CloudEvent'], callbackParam: undefined } },
    CloudEventFunctionWithCallback: { handlerType: { ...cloudEvent, handler: 'decorated' } },
    EventFunction: { handlerType: { ...legacy, params: ['LegacyData', 'CloudFunctionsContext'], callbackParam: undefined } },
    EventFunctionWithCallback: { handlerType: legacy },
    LegacyData: { message: true, stability: 'producer-stable' },
    CloudFunctionsContext: { members: { eventId: stored, timestamp: stored, eventType: stable, resource: stable } },
  },
});
