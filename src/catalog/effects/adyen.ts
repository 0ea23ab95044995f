import { defineLibrary, type Shape } from '../schema.js';

/** The request options are the last argument. */
const change: Shape = { call: { effect: { kind: 'external', data: '0', key: 'last.idempotencyKey' } } };
const api: Shape = { anyMember: change };

/** @adyen/api-library 32.1: a key for POST requests. */
export default defineLibrary({
  name: '@adyen/api-library',
  packages: ['@adyen/api-library'],
  exports: {
    CheckoutAPI: { construct: { returns: 'CheckoutAPI' } },
    PayoutAPI: { construct: { returns: 'CheckoutAPI' } },
    TransfersAPI: { construct: { returns: 'CheckoutAPI' } },
  },
  types: { CheckoutAPI: { anyMember: api } },
});
