import { defineLibrary, type Shape } from '../schema.js';

const nothing: Shape = { call: {} };
/** Sends the answer with the status that was set before, 200 if none was. */
const send: Shape = { call: { settles: { as: 'http' }, returns: 'this' } };

/** Routes are no handlers of messages by themselves; a call in the body that verifies a webhook makes them one. */
const route: Shape = { call: { returns: 'this', runs: [{ function: 'last', times: 'many', promise: 'detached', params: ['Request', 'Response', nothing] }] } };
const verbs: Record<string, Shape> = { get: route, post: route, put: route, patch: route, delete: route, all: route, use: route };
const parser: Shape = { call: {} };

/**
 * @types/express 5.0.6 (express-serve-static-core). `status` and `writeHead` set the status and answer nothing yet;
 * `sendStatus` answers with the status in its first argument.
 */
export default defineLibrary({
  name: 'express',
  packages: ['express', '@types/express', 'express-serve-static-core', 'express-promise-router'],
  exports: {
    default: { call: { returns: 'Express' }, members: { Router: { call: { returns: 'Router' } }, json: parser, raw: parser, text: parser, urlencoded: parser, static: parser } },
    Router: { call: { returns: 'Router' } },
    json: parser,
    raw: parser,
    text: parser,
    urlencoded: parser,
  },
  types: {
    Express: { members: { ...verbs, route: { call: { returns: 'Route' } }, listen: nothing, set: nothing, enable: nothing, disable: nothing } },
    Application: { members: { ...verbs, route: { call: { returns: 'Route' } }, listen: nothing, set: nothing } },
    Router: { members: { ...verbs, route: { call: { returns: 'Route' } }, param: nothing } },
    IRouter: { members: verbs },
    Route: {
      members: Object.fromEntries(
        Object.keys(verbs).map((verb) => [verb, { call: { returns: 'this', runs: [{ function: 'last', times: 'many', promise: 'detached', params: ['Request', 'Response', nothing] }] } }]),
      ),
    },
    // A provider that sends an event again sends the same body and the same id headers.
    Request: { members: { body: { stability: 'producer-stable' }, headers: { stability: 'producer-stable' }, rawBody: { stability: 'producer-stable' }, get: { call: { returns: { stability: 'producer-stable' } } }, header: { call: { returns: { stability: 'producer-stable' } } } } },
    Response: {
      members: {
        status: { call: { returns: 'this' } },
        writeHead: { call: { returns: 'this' } },
        sendStatus: { call: { settles: { as: 'http-status' }, returns: 'this' } },
        send,
        json: send,
        jsonp: send,
        end: send,
        render: send,
        sendFile: send,
        redirect: { call: { settles: { as: 'nack' } } },
        set: { call: { returns: 'this' } },
        header: { call: { returns: 'this' } },
        type: { call: { returns: 'this' } },
        setHeader: { call: { returns: 'this' } },
        cookie: { call: { returns: 'this' } },
        on: { call: { returns: 'this' } },
      },
    },
  },
});
