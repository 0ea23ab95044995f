/**
 * The scenario of every fixture, inside of a thread of the harness. FIXTURE is the folder of its compiled sources, with
 * `scenario.json` and `schema.sql` as they stand beside them.
 *
 * A consumer is started by loading its module and calling its `start`, if it has one; a module that exports `handler` is
 * a Lambda function.
 */
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { sqsLambda } = require('@idempotent-consumers/inbox/testing');

const folder = process.env.FIXTURE;
const { entry, lambda, inbox, redis, message, newer } = JSON.parse(readFileSync(join(folder, 'scenario.json'), 'utf8'));

exports.message = message;
exports.newer = newer;
exports.setup = [
  readFileSync(join(folder, 'schema.sql'), 'utf8'),
  inbox ? readFileSync(inbox, 'utf8') : '',
  // Of the fake of ioredis.
  redis ? 'CREATE TABLE redis (key text PRIMARY KEY, value text)' : '',
].join(';\n');

const load = () => require(join(folder, entry));

const called = sqsLambda((...given) => load().handler(...given));
exports.consume = lambda ? called.consume : undefined;
exports.acknowledge = lambda ? called.acknowledge : undefined;
exports.start = () => (lambda ? undefined : load().start?.());
