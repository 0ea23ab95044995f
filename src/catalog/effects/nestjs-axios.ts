import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

const verb = (method: string, config: string, data?: string): Shape => ({
  call: {
    effect: { kind: 'external', classify: { by: 'http', method, url: '0', options: config }, data },
    returns: 'Observable',
  },
});

/** @nestjs/axios 12: each call gives a cold Observable, which sends once per subscription (`firstValueFrom`, `subscribe`). */
export default defineLibrary({
  name: '@nestjs/axios',
  packages: ['@nestjs/axios'],
  exports: { HttpService: { construct: { returns: 'HttpService' } } },
  types: {
    HttpService: {
      extendable: true,
      members: {
        get: verb('GET', '1'),
        head: verb('HEAD', '1'),
        delete: verb('DELETE', '1'),
        post: verb('POST', '2', '1'),
        put: verb('PUT', '2', '1'),
        patch: verb('PATCH', '2', '1'),
        request: {
          call: {
            effect: {
              kind: 'external',
              classify: { by: 'http', method: '0.method', url: '0.url', options: '0' },
              data: '0.data',
            },
            returns: 'Observable',
          },
        },
        axiosRef: 'axios#AxiosInstance',
      },
    },
    Observable: { members: alike<Shape>('pipe toPromise', { call: { returns: 'this' } }) },
  },
});
