import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

const verb = (method: string): Shape => ({
  call: { effect: { kind: 'external', classify: { by: 'http', method, url: '0' } }, returns: 'Request' },
});
const members: Record<string, Shape> = {
  get: verb('GET'),
  head: verb('HEAD'),
  post: verb('POST'),
  put: verb('PUT'),
  patch: verb('PATCH'),
  ...alike('del delete', verb('DELETE')),
  agent: { call: { returns: 'Agent' } },
};

/** superagent 10.4: `.retry(n)` sends a POST again as well. The key header is set in the chain. */
export default defineLibrary({
  name: 'superagent',
  packages: ['superagent'],
  exports: { ...members, default: { members } },
  types: {
    Agent: { members },
    Request: { members: alike<Shape>('set send query type accept auth timeout retry attach field ok buffer', { call: { returns: 'this' } }) },
  },
});
