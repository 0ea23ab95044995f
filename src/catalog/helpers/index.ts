import type { Library } from '../schema.js';
import async from './async.js';
import asyncHooks from './async-hooks.js';
import bluebird from './bluebird.js';
import bson from './bson.js';
import classTransformer from './class-transformer.js';
import classValidator from './class-validator.js';
import cockatiel from './cockatiel.js';
import cuid from './cuid.js';
import dateFns from './date-fns.js';
import dates from './dates.js';
import ddTrace from './dd-trace.js';
import fastq from './fastq.js';
import lodash from './lodash.js';
import luxon from './luxon.js';
import middy from './middy.js';
import nanoid from './nanoid.js';
import nestjsCls from './nestjs-cls.js';
import nestjsClsTransactional from './nestjs-cls-transactional.js';
import nodeCrypto from './node-crypto.js';
import nodeMachine from './node-machine.js';
import nodeUtil from './node-util.js';
import opentelemetry from './opentelemetry.js';
import pAll from './p-all.js';
import pLimit from './p-limit.js';
import pMap from './p-map.js';
import pQueue from './p-queue.js';
import pTimeout from './p-timeout.js';
import powertoolsBatch from './powertools-batch.js';
import powertoolsIdempotency from './powertools-idempotency.js';
import promisePool from './promise-pool.js';
import retry from './retry.js';
import rxjs from './rxjs.js';
import sentry from './sentry.js';
import serialization from './serialization.js';
import telemetry from './telemetry.js';
import timers from './timers.js';
import timersPromises from './timers-promises.js';
import tracing from './tracing.js';
import ulid from './ulid.js';
import uuid from './uuid.js';
import validation from './validation.js';
import vercelFunctions from './vercel-functions.js';

export const helpers: Library[] = [
  async,
  asyncHooks,
  bluebird,
  bson,
  classTransformer,
  classValidator,
  cockatiel,
  cuid,
  dateFns,
  dates,
  ddTrace,
  fastq,
  lodash,
  luxon,
  middy,
  nanoid,
  nestjsCls,
  nestjsClsTransactional,
  nodeCrypto,
  nodeMachine,
  nodeUtil,
  opentelemetry,
  pAll,
  pLimit,
  pMap,
  pQueue,
  pTimeout,
  powertoolsBatch,
  powertoolsIdempotency,
  promisePool,
  retry,
  rxjs,
  sentry,
  serialization,
  telemetry,
  timers,
  timersPromises,
  tracing,
  ulid,
  uuid,
  validation,
  vercelFunctions,
];
