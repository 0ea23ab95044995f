import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

/** Takes no key: a repeat within 30 seconds with equal amount and order id is refused. A refusal is `success: false`. */
const change: Shape = { call: { effect: { kind: 'external', data: '0' }, nodeCallback: true } };
const resource: Shape = { members: alike<Shape>('find search', { call: { effect: { kind: 'read' }, nodeCallback: true } }), anyMember: change };

/** braintree 3.40. */
export default defineLibrary({
  name: 'braintree',
  packages: ['braintree'],
  exports: { BraintreeGateway: { construct: { returns: 'BraintreeGateway' } }, connect: { call: { returns: 'BraintreeGateway' } } },
  types: { BraintreeGateway: { members: { webhookNotification: {}, clientToken: resource }, anyMember: resource } },
});
