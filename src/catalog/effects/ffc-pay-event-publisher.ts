import { defineLibrary, type Shape } from '../schema.js';

/** A minted id for each message, and no way to give one. */
const publish: Shape = { call: { effect: { kind: 'external', data: '0' } } };

/**
 * ffc-pay-event-publisher 1.2.4 (app/v1/event-publisher, app/v2/messaging): sends events to Azure Service Bus. A list goes
 * out as one batch. An event that does not validate is dropped with a line in the log.
 */
export default defineLibrary({
  name: 'ffc-pay-event-publisher',
  packages: ['ffc-pay-event-publisher'],
  exports: {
    EventPublisher: { construct: { returns: { members: { publishEvent: publish, publishEvents: publish } } } },
    PublishEvent: { construct: { returns: { members: { sendEvent: publish } } } },
    PublishEventBatch: { construct: { returns: { members: { sendEvents: publish } } } },
  },
});
