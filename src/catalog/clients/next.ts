import { defineLibrary, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const send: Shape = { call: { settles: { as: 'http' }, returns: 'this' } };
const body: Shape = { call: { returns: stable } };

/**
 * next 16.4.6 (server.d.ts, dist/server/web/spec-extension/response.d.ts). Route handlers answer by the response that they
 * return, whose status is `1.status`; API routes of the pages folder by the methods of their response.
 */
export default defineLibrary({
  name: 'next',
  packages: ['next', 'next/server', 'next/server.js'],
  exports: {
    NextResponse: {
      construct: { returns: 'NextResponse' },
      members: { json: { call: { returns: 'NextResponse' } }, redirect: { call: { returns: 'NextResponse' } }, next: { call: { returns: 'NextResponse' } } },
    },
    // Runs when the response has been sent.
    after: { call: { runs: [{ function: '0', times: 'once', promise: 'detached', errors: 'swallow' }] } },
  },
  types: {
    NextResponse: {},
    NextRequest: { members: { text: body, json: body, arrayBuffer: body, formData: body, body: stable, headers: stable } },
    NextApiRequest: { members: { body: stable, headers: stable, query: stable } },
    NextApiResponse: {
      members: {
        status: { call: { returns: 'this' } },
        writeHead: { call: { returns: 'this' } },
        send,
        json: send,
        end: send,
        redirect: { call: { settles: { as: 'nack' } } },
        setHeader: { call: { returns: 'this' } },
      },
    },
  },
});
