import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

/** Costs money and answers differently each time, but leaves nothing behind. */
const generate: Shape = { call: { effect: { kind: 'read' } } };
const read: Shape = { call: { effect: { kind: 'read' } } };
const make: Shape = { call: { effect: { kind: 'external', data: '0' } } };
const batches: Shape = { members: { create: make, ...alike('retrieve list results', read), ...alike<Shape>('cancel delete', { call: { effect: { kind: 'external', idempotent: true } } }) } };
const messages: Shape = { members: { ...alike('create stream parse', generate), countTokens: read, batches } };

/** @anthropic-ai/sdk 1.15: `idempotencyKey` is deprecated and without effect. */
export default defineLibrary({
  name: '@anthropic-ai/sdk',
  packages: ['@anthropic-ai/sdk'],
  exports: { default: { construct: { returns: 'Anthropic' } }, Anthropic: { construct: { returns: 'Anthropic' } } },
  types: { Anthropic: { extendable: true, members: { messages, beta: { members: { messages, files: { members: { upload: make } } } } } } },
});
