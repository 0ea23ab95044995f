import { defineLibrary, type Shape } from '../schema.js';
import { fetchShape } from './fetch.js';

const request = (options: string): Shape => ({
  call: {
    effect: {
      kind: 'external',
      classify: { by: 'http', method: `${options}.method`, url: options === '0' ? '0.path' : '0', options },
      data: `${options}.body`,
    },
    nodeCallback: true,
  },
});

const dispatcher: Shape = { members: { request: request('0'), stream: request('0'), pipeline: request('0'), close: { call: {} }, destroy: { call: {} } } };
const made: Shape = { construct: { returns: 'Dispatcher' } };

/** undici 8.13. A refusal is no throw; only the retrying agents send again, POST and PATCH left out. */
export default defineLibrary({
  name: 'undici',
  packages: ['undici'],
  exports: {
    fetch: fetchShape,
    request: request('1'),
    stream: request('1'),
    pipeline: request('1'),
    Client: made,
    Pool: made,
    Agent: made,
    RetryAgent: made,
    ProxyAgent: made,
    setGlobalDispatcher: { call: {} },
  },
  types: { Dispatcher: dispatcher, Client: dispatcher, Pool: dispatcher, Agent: dispatcher },
});
