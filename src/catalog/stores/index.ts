import type { Library } from '../schema.js';
import awsClientDynamodb from './aws-client-dynamodb.js';
import awsLibDynamodb from './aws-lib-dynamodb.js';
import azureCosmos from './azure-cosmos.js';
import betterSqlite3 from './better-sqlite3.js';
import bigquery from './bigquery.js';
import cacheManager from './cache-manager.js';
import cassandraDriver from './cassandra-driver.js';
import clickhouse from './clickhouse.js';
import clickhouseClient from './clickhouse-client.js';
import dailydotdevTsIoredisPool from './dailydotdev-ts-ioredis-pool.js';
import drizzleOrm from './drizzle-orm.js';
import dynamoose from './dynamoose.js';
import elasticsearch from './elasticsearch.js';
import electrodb from './electrodb.js';
import ffcDatabase from './ffc-database.js';
import firestore from './firestore.js';
import inbox from './inbox.js';
import influxdbClient from './influxdb-client.js';
import knex from './knex.js';
import kysely from './kysely.js';
import lruCache from './lru-cache.js';
import mariadb from './mariadb.js';
import mikroOrm from './mikro-orm.js';
import mongodb from './mongodb.js';
import mongoose from './mongoose.js';
import mssql from './mssql.js';
import mysql2 from './mysql2.js';
import neonServerless from './neon-serverless.js';
import nestjsMongoose from './nestjs-mongoose.js';
import nodeCache from './node-cache.js';
import nodeSqlite from './node-sqlite.js';
import objection from './objection.js';
import pg from './pg.js';
import pgPromise from './pg-promise.js';
import postgres from './postgres.js';
import prisma from './prisma.js';
import { algoliasearch, meilisearch, typesense } from './search-services.js';
import sequelize from './sequelize.js';
import slonik from './slonik.js';
import spanner from './spanner.js';
import sqlite3 from './sqlite3.js';
import supabase from './supabase.js';
import typeorm from './typeorm.js';
import typeormTransactional from './typeorm-transactional.js';
import redisOm from './redis-om.js';
import upstashRedis from './upstash-redis.js';
import vercelPostgres from './vercel-postgres.js';

export const stores: Library[] = [
  awsClientDynamodb,
  awsLibDynamodb,
  azureCosmos,
  betterSqlite3,
  bigquery,
  cacheManager,
  cassandraDriver,
  clickhouse,
  clickhouseClient,
  dailydotdevTsIoredisPool,
  drizzleOrm,
  dynamoose,
  algoliasearch,
  elasticsearch,
  electrodb,
  ffcDatabase,
  firestore,
  inbox,
  influxdbClient,
  knex,
  kysely,
  lruCache,
  mariadb,
  meilisearch,
  mikroOrm,
  mongodb,
  mongoose,
  mssql,
  mysql2,
  neonServerless,
  nestjsMongoose,
  nodeCache,
  nodeSqlite,
  objection,
  pg,
  pgPromise,
  postgres,
  prisma,
  redisOm,
  sequelize,
  slonik,
  spanner,
  sqlite3,
  supabase,
  typeorm,
  typeormTransactional,
  typesense,
  upstashRedis,
  vercelPostgres,
];
