import type { Library } from '../schema.js';
import awsClientDynamodb from './aws-client-dynamodb.js';
import awsLibDynamodb from './aws-lib-dynamodb.js';
import knex from './knex.js';
import mongodb from './mongodb.js';
import mongoose from './mongoose.js';
import nestjsMongoose from './nestjs-mongoose.js';
import pg from './pg.js';
import prisma from './prisma.js';
import typeorm from './typeorm.js';

export const stores: Library[] = [
  awsClientDynamodb,
  awsLibDynamodb,
  knex,
  mongodb,
  mongoose,
  nestjsMongoose,
  pg,
  prisma,
  typeorm,
];
