import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

/** Costs money and answers differently each time, but leaves nothing behind. */
const generate: Shape = { call: { effect: { kind: 'read' } } };
/**
 * `idempotencyKey` of the request options is sent only if the client was made with `idempotencyHeader`, which nothing does by
 * default: it counts as none.
 */
const make: Shape = { call: { effect: { kind: 'external', data: '0' } } };
const read: Shape = { call: { effect: { kind: 'read' } } };
const absolute: Shape = { call: { effect: { kind: 'external', idempotent: true } } };
const generation: Shape = {
  members: { ...alike('create stream parse generate edit', generate), ...alike('retrieve list content', read), ...alike('del delete cancel update', absolute) },
};
const creation: Shape = {
  members: { ...alike('create createAndPoll upload', make), ...alike('retrieve list content', read), ...alike('del delete cancel update', absolute) },
};

const client: Shape = {
  extendable: true,
  members: {
    responses: generation,
    chat: { members: { completions: generation } },
    completions: generation,
    embeddings: { members: { create: read } },
    moderations: { members: { create: read } },
    images: generation,
    audio: { members: { transcriptions: generation, translations: generation, speech: generation } },
    files: creation,
    batches: creation,
    vectorStores: creation,
    conversations: creation,
    models: creation,
    beta: { anyMember: creation },
  },
};

/** openai 7.59. */
export default defineLibrary({
  name: 'openai',
  packages: ['openai'],
  exports: {
    default: { construct: { returns: 'OpenAI' } },
    OpenAI: { construct: { returns: 'OpenAI' } },
    AzureOpenAI: { construct: { returns: 'OpenAI' } },
  },
  types: { OpenAI: client, AzureOpenAI: client },
});
