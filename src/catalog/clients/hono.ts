import { defineLibrary, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const body: Shape = { call: { returns: stable } };
/** `c.json(body, status)` makes the response; to return it is the answer. */
const answer: Shape = { call: { returns: 'web-response#Response' } };
const route: Shape = { call: { returns: 'this', runs: [{ function: 'last', times: 'many', promise: 'detached', params: ['Context'] }] } };

/** hono 4.13.19 (dist/types/context.d.ts). */
export default defineLibrary({
  name: 'hono',
  packages: ['hono', 'hono/*'],
  exports: { Hono: { construct: { returns: 'Hono' } } },
  types: {
    Hono: { members: { get: route, post: route, put: route, patch: route, delete: route, all: route, use: route, on: route, route: { call: { returns: 'this' } }, basePath: { call: { returns: 'this' } } } },
    Context: {
      members: {
        json: answer,
        text: answer,
        html: answer,
        body: answer,
        newResponse: answer,
        notFound: answer,
        status: { call: {} },
        req: { members: { text: body, json: body, arrayBuffer: body, header: body, raw: { members: { text: body, json: body, headers: stable } } } },
        header: { call: {} },
        executionCtx: { members: { waitUntil: { call: {} } } },
      },
    },
  },
});
