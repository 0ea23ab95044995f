import { defineLibrary, type Shape } from '../schema.js';

/** `post(url, data, config)` and `delete(url, config)`: the configuration is behind the data where there is data. */
const verb = (method: string, config: string, data?: string): Shape => ({
  call: {
    effect: {
      kind: 'external',
      classify: { by: 'http', method, url: '0', options: config },
      data,
    },
  },
});

const byConfig: Shape = {
  call: {
    effect: {
      kind: 'external',
      classify: { by: 'http', method: '0.method', url: '0.url', options: '0' },
      data: '0.data',
    },
  },
};

const members: Record<string, Shape> = {
  get: verb('GET', '1'),
  head: verb('HEAD', '1'),
  options: verb('OPTIONS', '1'),
  delete: verb('DELETE', '1'),
  post: verb('POST', '2', '1'),
  put: verb('PUT', '2', '1'),
  patch: verb('PATCH', '2', '1'),
  postForm: verb('POST', '2', '1'),
  putForm: verb('PUT', '2', '1'),
  patchForm: verb('PATCH', '2', '1'),
  request: byConfig,
  getUri: { call: { derives: true } },
};

const instance: Shape = { call: byConfig.call, members };

/** Axios 1.21. A status outside 200 to 299 rejects (`validateStatus`); nothing is retried. */
export default defineLibrary({
  name: 'axios',
  packages: ['axios'],
  exports: {
    default: {
      call: byConfig.call,
      members: { ...members, create: { call: { returns: 'AxiosInstance' } }, isAxiosError: { call: {} }, isCancel: { call: {} } },
    },
    ...members,
    create: { call: { returns: 'AxiosInstance' } },
    isAxiosError: { call: {} },
    Axios: { construct: { returns: 'AxiosInstance' } },
  },
  types: { AxiosInstance: instance, AxiosStatic: instance, Axios: instance },
});
