import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

const send: Shape = { call: { effect: { kind: 'external', data: '0' } } };
/** Resolves even if some messages failed. */
const sendEach: Shape = { call: { effect: { kind: 'external', data: '0', partialFailureIn: 'failureCount' } } };
const absolute: Shape = { call: { effect: { kind: 'external', idempotentBy: '0' } } };
const read: Shape = { call: { effect: { kind: 'read' } } };

const messaging: Shape = { call: { returns: 'Messaging' } };
const auth: Shape = { call: { returns: 'Auth' } };
const storage: Shape = { call: { returns: '@google-cloud/storage#Storage' } };
const app: Record<string, Shape> = { messaging, auth, storage, firestore: { call: { returns: '@google-cloud/firestore#Firestore' } } };

/** firebase-admin 14.5: collapse keys and topics replace what is still pending, which is no key. */
export default defineLibrary({
  name: 'firebase-admin',
  packages: ['firebase-admin', 'firebase-admin/app', 'firebase-admin/messaging', 'firebase-admin/auth', 'firebase-admin/storage'],
  exports: {
    getMessaging: messaging,
    getAuth: auth,
    getStorage: storage,
    ...app,
    initializeApp: { call: { returns: 'App' } },
    getApp: { call: { returns: 'App' } },
    app: { call: { returns: 'App' } },
  },
  types: {
    App: { members: app },
    Messaging: {
      members: {
        ...alike('send sendToDevice sendToTopic', send),
        ...alike('sendEach sendEachForMulticast sendAll sendMulticast', sendEach),
        ...alike('subscribeToTopic unsubscribeFromTopic', absolute),
      },
    },
    Auth: {
      members: {
        ...alike('getUser getUserByEmail getUsers listUsers verifyIdToken', read),
        createUser: { call: { effect: { kind: 'external', idempotentBy: '0.uid', data: '0' } } },
        ...alike('updateUser deleteUser setCustomUserClaims revokeRefreshTokens', absolute),
      },
    },
  },
});
