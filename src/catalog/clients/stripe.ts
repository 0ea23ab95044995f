import { defineLibrary, type EffectFacts, type Shape } from '../schema.js';

/** The options come last: `create(params, options)`, `capture(id, params, options)`, `updateReversal(id, id, params, options)`. */
const create: EffectFacts = { kind: 'external', key: '1.idempotencyKey' };
const onId: EffectFacts = { kind: 'external', key: ['3.idempotencyKey', '2.idempotencyKey', '1.idempotencyKey'] };
/** Naming an object and the state it shall have: a repeat changes nothing. */
const settled: EffectFacts = { ...onId, idempotentBy: '0' };

function methods(names: string, effect: EffectFacts): Record<string, Shape> {
  return Object.fromEntries(names.split(' ').map((name): [string, Shape] => [name, { call: { effect } }]));
}

/** A resource or a namespace of resources (`stripe.checkout.sessions`); names that are missing here have no effect. */
const resource: Shape = {
  members: {
    ...methods('create', create),
    ...methods(
      'confirm capture pay incrementAuthorization applyCustomerBalance finalizeInvoice finalizeQuote sendInvoice addLines reverse createReversal createRefund createBalanceTransaction createFundingInstructions createSource createLoginLink createExternalAccount createTaxId createPerson createFeature createUsageRecord createFromCalculation advance fundCashBalance reactivate resume approve submit refundPayment attachPayment processPaymentIntent processSetupIntent confirmPaymentIntent reportPayment',
      onId,
    ),
    ...methods(
      'update cancel del close detach attach accept reject decline release expire archive unarchive activate deactivate pause subscribe unsubscribe redact disconnect voidInvoice voidCreditNote markUncollectible verify verifyMicrodeposits validate updateCashBalance updateFeatures updateLines removeLines deleteDiscount deleteSource deleteTaxId deletePerson deleteExternalAccount deleteFeature updateReversal updateRefund updateBalanceTransaction updateCapability updateSource updatePerson updateExternalAccount updateLineItem',
      settled,
    ),
    ...methods(
      'retrieve list search find listLineItems listPaymentMethods listBalanceTransactions listCashBalanceTransactions listReversals listRefunds listSources listTaxIds listPersons listCapabilities listExternalAccounts listEventSummaries listPreviewLineItems listUpcomingLines retrieveUpcoming retrievePaymentMethod retrieveBalanceTransaction retrieveCashBalance retrieveSource retrieveRefund retrieveReversal retrieveTaxId retrievePerson retrieveCapability retrieveExternalAccount retrieveCurrent retrieveLines pdf preview',
      { kind: 'read' },
    ),
    createPreview: { call: { effect: { kind: 'read' } } },
  },
  anyMember: 'Resource',
};

const verify: Shape = { call: { registers: { handler: 'enclosing', http: true, acknowledgement: 'explicit' }, returns: 'Event' } };
const webhooks: Shape = {
  members: { constructEvent: verify, constructEventAsync: verify, generateTestHeaderString: { call: {} }, signature: {} },
};
const stripe: Shape = { construct: { returns: 'Stripe' }, call: { returns: 'Stripe' }, members: { webhooks } };

/**
 * stripe 23.1.0 (esm/stripe.core.d.ts, esm/resources/*.d.ts, Webhooks.d.ts). The event id is kept over retries and resends,
 * hence producer-stable. Any answer but 2xx brings the event again for three days.
 */
export default defineLibrary({
  name: 'stripe',
  packages: ['stripe', 'stripe/*'],
  remote: true,
  exports: { default: stripe, Stripe: stripe },
  types: {
    Stripe: {
      members: {
        webhooks,
        parseEventNotification: verify,
        parseEventNotificationAsync: verify,
        notificationHandler: { call: { returns: 'NotificationHandler' } },
        rawRequest: { call: { effect: { kind: 'external', key: '3.idempotencyKey' } } },
        on: { call: {} },
        off: { call: {} },
      },
      anyMember: 'Resource',
    },
    Resource: resource,
    Webhooks: webhooks,
    NotificationHandler: {
      members: {
        on: { call: { registers: { handler: '1', params: ['Event', 'Stripe'], acknowledgement: 'on-return' }, returns: 'this' } },
        preHandle: { call: { returns: 'this' } },
        handle: { call: {} },
      },
    },
    Event: { message: true, stability: 'producer-stable', members: { pending_webhooks: { stability: 'delivery' } } },
    EventNotification: { message: true, stability: 'producer-stable', members: { fetchRelatedObject: { call: { effect: { kind: 'read' } } }, fetchEvent: { call: { effect: { kind: 'read' } } } } },
  },
});
