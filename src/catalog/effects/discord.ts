import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

/** With `enforceNonce` a repeat of the nonce gives the first message, for some minutes. */
const send: Shape = { call: { effect: { kind: 'external', data: '0', key: '0.nonce', keyIsCarried: true } } };
const post: Shape = { call: { effect: { kind: 'external', data: '1' } } };
const read: Shape = { call: { effect: { kind: 'read' } } };
const absolute: Shape = { call: { effect: { kind: 'external', data: '0', idempotent: true } } };

/** discord.js 14.28: what a webhook client and the REST client send; @discordjs/core 2, the API by its routes. */
export default defineLibrary({
  name: 'discord.js',
  packages: ['discord.js', '@discordjs/rest', '@discordjs/core', '@discordjs/core/http-only'],
  exports: { WebhookClient: { construct: { returns: 'WebhookClient' } }, REST: { construct: { returns: 'REST' } }, API: { construct: { returns: 'API' } } },
  types: {
    WebhookClient: { members: { send, ...alike('editMessage deleteMessage edit delete', absolute) } },
    TextChannel: { members: { send } },
    API: { members: { channels: 'Channels', webhooks: 'Webhooks', interactions: 'Interactions' } },
    Channels: {
      members: {
        createMessage: { call: { effect: { kind: 'external', data: '1', key: '1.nonce', keyIsCarried: true } } },
        ...alike('crosspostMessage createThread createForumThread createInvite createWebhook', post),
        ...alike('addMessageReaction deleteOwnMessageReaction editMessage deleteMessage bulkDeleteMessages pinMessage unpinMessage edit delete', absolute),
        ...alike('get getMessage getMessages getPins getInvites getWebhooks getMessageReactions', read),
        showTyping: { call: {} },
      },
    },
    Webhooks: { members: { execute: post, create: post, ...alike('edit editMessage delete deleteMessage', absolute), ...alike('get getMessage', read) } },
    Interactions: { members: { ...alike('reply followUp', post), ...alike('defer editReply deleteReply updateMessage', absolute), getOriginalReply: read } },
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
