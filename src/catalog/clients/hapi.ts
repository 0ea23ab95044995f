import { defineLibrary, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };

/** @hapi/hapi 21.4.10 (lib/types/response.d.ts). `h.response(body)` makes the answer, `code` sets its status, to return it answers. */
export default defineLibrary({
  name: '@hapi/hapi',
  packages: ['@hapi/hapi'],
  exports: { server: { call: { returns: 'Server' } }, Server: { construct: { returns: 'Server' } } },
  types: {
    Server: { members: { route: { call: { runs: [{ function: '0.handler', times: 'many', promise: 'detached', params: ['Request', 'ResponseToolkit'] }] } }, start: { call: {} } } },
    Request: { members: { payload: stable, headers: stable } },
    ResponseToolkit: { members: { response: { call: { returns: 'ResponseObject' } } } },
    ResponseObject: { members: { code: { call: { returns: 'this' } }, header: { call: { returns: 'this' } }, type: { call: { returns: 'this' } } } },
  },
});
