import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

const send: Shape = { call: { effect: { kind: 'external', data: '0' }, nodeCallback: true } };

/** postmark 5.1: takes no key; a batch answers with an `ErrorCode` for each message. */
export default defineLibrary({
  name: 'postmark',
  packages: ['postmark'],
  exports: { ServerClient: { construct: { returns: 'ServerClient' } }, Client: { construct: { returns: 'ServerClient' } } },
  types: {
    ServerClient: {
      extendable: true,
      members: {
        ...alike('sendEmail sendEmailWithTemplate sendEmailBatch sendEmailBatchWithTemplates sendBulkEmail', send),
        ...alike<Shape>('getBounces getBounce getTemplate getTemplates getOutboundMessages getServer', { call: { effect: { kind: 'read' } } }),
      },
    },
  },
});
