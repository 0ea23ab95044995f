import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

/** With `enforceNonce` a repeat of the nonce gives the first message, for some minutes. */
const send: Shape = { call: { effect: { kind: 'external', data: '0', key: '0.nonce', keyIsCarried: true } } };
const absolute: Shape = { call: { effect: { kind: 'external', data: '0', idempotent: true } } };

/** discord.js 14.28: what a webhook client and the REST client send. */
export default defineLibrary({
  name: 'discord.js',
  packages: ['discord.js', '@discordjs/rest'],
  exports: { WebhookClient: { construct: { returns: 'WebhookClient' } }, REST: { construct: { returns: 'REST' } } },
  types: {
    WebhookClient: { members: { send, ...alike('editMessage deleteMessage edit delete', absolute) } },
    TextChannel: { members: { send } },
    REST: {
      members: {
        post: { call: { effect: { kind: 'external', data: '1' } } },
        ...alike('put patch delete', absolute),
        get: { call: { effect: { kind: 'read' } } },
        setToken: { call: { returns: 'this' } },
      },
    },
  },
});
