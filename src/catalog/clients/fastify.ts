import { defineLibrary, type Shape } from '../schema.js';

const nothing: Shape = { call: {} };
const stable: Shape = { stability: 'producer-stable' };
const status: Shape = { call: { returns: 'this' } };
const route: Shape = { call: { returns: 'this', runs: [{ function: 'last', times: 'many', promise: 'detached', params: ['FastifyRequest', 'FastifyReply'] }] } };

/** fastify 5.12.8 (types/reply.d.ts, types/instance.d.ts). A route may also return its answer, with status 200 unless one was set. */
export default defineLibrary({
  name: 'fastify',
  packages: ['fastify'],
  exports: { default: { call: { returns: 'FastifyInstance' } }, fastify: { call: { returns: 'FastifyInstance' } } },
  types: {
    FastifyInstance: { members: { get: route, post: route, put: route, patch: route, delete: route, all: route, listen: nothing, addHook: nothing, register: nothing, decorate: nothing } },
    FastifyRequest: { members: { body: stable, headers: stable, rawBody: stable } },
    FastifyReply: { members: { code: status, status, send: { call: { settles: { as: 'http' }, returns: 'this' } }, redirect: { call: { settles: { as: 'nack' } } }, header: { call: { returns: 'this' } }, type: { call: { returns: 'this' } } } },
  },
});
