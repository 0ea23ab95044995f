import { defineLibrary, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const nothing: Shape = { call: {} };
/** `(topic, shop, body, webhookId, apiVersion, context)`; the id is that of one delivery, kept over its attempts. */
const params = [stable, stable, { message: true, stability: 'producer-stable' } satisfies Shape, stable, stable, {}];
const callbacks = (path: string): Shape => ({ call: { registers: { handler: path, params, acknowledgement: 'on-return' } } });
const validate: Shape = { call: { registers: { handler: 'enclosing', http: true, acknowledgement: 'explicit' } } };
const webhook: Shape = {
  call: {
    registers: { handler: 'enclosing', http: true, acknowledgement: 'explicit' },
    returns: { message: true, stability: 'producer-stable', members: { admin: {}, session: {} } },
  },
};
const app: Shape = { call: { returns: 'App' } };

/**
 * @shopify/shopify-api 15.0.0, @shopify/shopify-app-express 7.0.1, -remix 6.0.1, -react-router 3.0.0: an event is sent again
 * until it is answered with 2xx. `process` answers 500 when the callback throws.
 */
export default defineLibrary({
  name: '@shopify/shopify-api',
  packages: ['@shopify/shopify-api', '@shopify/shopify-app-express', '@shopify/shopify-app-remix/server', '@shopify/shopify-app-react-router/server'],
  exports: { shopifyApi: app, shopifyApp: app },
  types: {
    App: {
      members: {
        authenticate: { members: { webhook, admin: nothing, public: {}, flow: nothing } },
        webhooks: { members: { addHandlers: callbacks('0.*.callback'), process: nothing, validate, register: nothing } },
        processWebhooks: callbacks('0.webhookHandlers.*.callback'),
      },
    },
  },
});
