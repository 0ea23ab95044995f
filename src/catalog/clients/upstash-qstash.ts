import { defineLibrary, type Registration, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const body: Shape = { call: { returns: stable } };
const handler: Registration = { handler: '0', params: ['Request', 'next#NextApiResponse'], http: true, acknowledgement: 'explicit' };
const verify: Shape = { call: { registers: handler } };

/**
 * @upstash/qstash 2.12.0 (nextjs.d.ts, client.d.ts): a message is sent again until it is answered with 2xx, three times by
 * default. `deduplicationId` keeps a second message from being made for ten minutes.
 */
export default defineLibrary({
  name: '@upstash/qstash',
  packages: ['@upstash/qstash', '@upstash/qstash/nextjs', '@upstash/qstash/dist/nextjs'],
  exports: {
    verifySignature: verify,
    verifySignatureEdge: verify,
    verifySignatureAppRouter: verify,
    Receiver: { construct: { returns: 'Receiver' } },
    Client: { construct: { returns: 'Client' } },
  },
  types: {
    Request: { message: true, members: { json: body, text: body, arrayBuffer: body, formData: body, clone: { call: { returns: 'this' } }, body: stable, headers: stable, query: stable } },
    Receiver: { members: { verify: { call: { registers: { handler: 'enclosing', http: true, acknowledgement: 'explicit' } } } } },
    Client: {
      members: {
        publish: { call: { effect: { kind: 'external', key: '0.deduplicationId' } } },
        publishJSON: { call: { effect: { kind: 'external', key: '0.deduplicationId' } } },
        batch: { call: { effect: { kind: 'external', key: '0.*.deduplicationId' } } },
        batchJSON: { call: { effect: { kind: 'external', key: '0.*.deduplicationId' } } },
        queue: { call: { returns: { members: { enqueue: { call: { effect: { kind: 'external', key: '0.deduplicationId' } } }, enqueueJSON: { call: { effect: { kind: 'external', key: '0.deduplicationId' } } } } } } },
      },
    },
  },
});
