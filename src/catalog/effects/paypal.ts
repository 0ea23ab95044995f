import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

const keyed: Shape = { call: { effect: { kind: 'external', data: '0', key: '0.paypalRequestId' } } };
const plain: Shape = { call: { effect: { kind: 'external', data: '0' } } };
const read: Shape = { call: { effect: { kind: 'read' } } };
const controller: Shape = {
  members: {
    ...alike('createOrder captureOrder authorizeOrder captureAuthorizedPayment refundCapturedPayment voidPayment reauthorizePayment confirmOrder', keyed),
    ...alike('patchOrder createOrderTracking updateOrderTracking', plain),
    ...alike('getOrder getAuthorizedPayment getCapturedPayment getRefund', read),
  },
};

/** @paypal/paypal-server-sdk 2.5: keys are kept for 6 hours (orders) or 45 days (payments). */
export default defineLibrary({
  name: '@paypal/paypal-server-sdk',
  packages: ['@paypal/paypal-server-sdk'],
  exports: { OrdersController: { construct: { returns: 'OrdersController' } }, PaymentsController: { construct: { returns: 'OrdersController' } } },
  types: { OrdersController: controller, PaymentsController: controller },
});
