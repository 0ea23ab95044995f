import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

/** The key is a field of the request, and required on payments, refunds, cards and gift cards. */
const keyed: Shape = { call: { effect: { kind: 'external', data: '0', key: '0.idempotencyKey' } } };
const read: Shape = { call: { effect: { kind: 'read' } } };
const resource: Shape = {
  members: { ...alike('get list search retrieve batchGet', read), ...alike<Shape>('cancel delete complete', { call: { effect: { kind: 'external', idempotent: true } } }) },
  anyMember: keyed,
};

/** square 46. */
export default defineLibrary({
  name: 'square',
  packages: ['square', 'square/legacy'],
  exports: { SquareClient: { construct: { returns: 'SquareClient' } }, Client: { construct: { returns: 'SquareClient' } } },
  types: { SquareClient: { extendable: true, anyMember: resource } },
});
