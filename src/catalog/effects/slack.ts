import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

const post: Shape = { call: { effect: { kind: 'external', data: '0' } } };
/** The second time changes nothing, or is refused as done already. */
const absolute: Shape = { call: { effect: { kind: 'external', data: '0', idempotent: true } } };
const read: Shape = { call: { effect: { kind: 'read' } } };

/**
 * @slack/web-api 8.2: no request type has a key (`client_msg_id` stands in responses only), and the client sends again for about
 * half an hour after a network error, posts included.
 */
export default defineLibrary({
  name: '@slack/web-api',
  packages: ['@slack/web-api'],
  exports: { WebClient: { construct: { returns: 'WebClient' } } },
  types: {
    WebClient: {
      extendable: true,
      members: {
        chat: {
          members: {
            ...alike('postMessage postEphemeral scheduleMessage meMessage', post),
            ...alike('update delete deleteScheduledMessage unfurl', absolute),
            getPermalink: read,
          },
        },
        reactions: { members: { ...alike('add remove', absolute), ...alike('get list', read) } },
        files: { members: { ...alike('upload uploadV2', post), delete: absolute, ...alike('info list', read) } },
        filesUploadV2: post,
        conversations: {
          members: {
            ...alike('create', post),
            ...alike('invite join leave kick archive rename setTopic setPurpose mark open', absolute),
            ...alike('list info history replies members', read),
          },
        },
        views: { members: { open: post, push: post, ...alike('publish update', absolute) } },
        pins: { members: { ...alike('add remove', absolute), list: read } },
        users: { members: alike('list info lookupByEmail profile getPresence conversations', read) },
        auth: { members: { test: read } },
        team: { members: { info: read } },
        apiCall: post,
      },
    },
  },
});
