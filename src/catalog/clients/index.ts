import type { Library } from '../schema.js';
import agenda from './agenda.js';
import amqpConnectionManager from './amqp-connection-manager.js';
import amqplib from './amqplib.js';
import awsLambda from './aws-lambda.js';
import awsSdkClientSqs from './aws-sdk-client-sqs.js';
import awsSdk, { awsSdkClients } from './aws-sdk.js';
import azureEventHubs from './azure-event-hubs.js';
import azureFunctions from './azure-functions.js';
import azureServiceBus from './azure-service-bus.js';
import beeQueue from './bee-queue.js';
import bull from './bull.js';
import bullmq from './bullmq.js';
import clerkWebhooks from './clerk-webhooks.js';
import cloudamqpAmqpClient from './cloudamqp-amqp-client.js';
import cloudflareWorkers from './cloudflare-workers.js';
import confluentKafka from './confluent-kafka.js';
import dapr from './dapr.js';
import dojotMicroserviceSdk from './dojot-microservice-sdk.js';
import express from './express.js';
import fastify from './fastify.js';
import ffcMessaging from './ffc-messaging.js';
import firebaseFunctions from './firebase-functions.js';
import golevelupNestjsRabbitmq from './golevelup-nestjs-rabbitmq.js';
import googleCloudFunctionsFramework from './google-cloud-functions-framework.js';
import googleCloudPubsub from './google-cloud-pubsub.js';
import graphileWorker from './graphile-worker.js';
import hapi from './hapi.js';
import hono from './hono.js';
import inngest from './inngest.js';
import ioredis from './ioredis.js';
import kafkaNode from './kafka-node.js';
import kafkajs from './kafkajs.js';
import mqtt from './mqtt.js';
import nats, { natsIo } from './nats.js';
import nestjsBull from './nestjs-bull.js';
import nestjsBullmq from './nestjs-bullmq.js';
import nestjsMicroservices from './nestjs-microservices.js';
import next from './next.js';
import nodeRdkafka from './node-rdkafka.js';
import octokitWebhooks from './octokit-webhooks.js';
import pgBoss from './pg-boss.js';
import pgmqJs from './pgmq-js.js';
import platformaticKafka from './platformatic-kafka.js';
import polarShSdk from './polar-sh-sdk.js';
import pulsarClient from './pulsar-client.js';
import rabbitmqClient from './rabbitmq-client.js';
import rascal from './rascal.js';
import redis from './redis.js';
import rhea from './rhea.js';
import shopify from './shopify.js';
import sqsConsumer from './sqs-consumer.js';
import squissTs from './squiss-ts.js';
import sst from './sst.js';
import ssutNestjsSqs from './ssut-nestjs-sqs.js';
import { stompit, stompjs } from './stomp.js';
import stripe from './stripe.js';
import svix from './svix.js';
import triggerDevSdk from './trigger-dev-sdk.js';
import upstashQstash from './upstash-qstash.js';
import wasp from './wasp.js';
import webResponse from './web-response.js';
import { webhooks } from './webhooks.js';

/** The message clients and job queues, then what answers webhooks; one file each. */
export const clients: Library[] = [
  kafkajs,
  confluentKafka,
  nodeRdkafka,
  kafkaNode,
  platformaticKafka,
  amqplib,
  amqpConnectionManager,
  rascal,
  rabbitmqClient,
  cloudamqpAmqpClient,
  golevelupNestjsRabbitmq,
  nestjsMicroservices,
  awsSdkClientSqs,
  awsSdk,
  ...awsSdkClients,
  sqsConsumer,
  ssutNestjsSqs,
  squissTs,
  awsLambda,
  googleCloudPubsub,
  googleCloudFunctionsFramework,
  firebaseFunctions,
  azureServiceBus,
  azureEventHubs,
  azureFunctions,
  nats,
  natsIo,
  ioredis,
  redis,
  mqtt,
  pulsarClient,
  stompjs,
  stompit,
  rhea,
  bullmq,
  bull,
  beeQueue,
  nestjsBullmq,
  nestjsBull,
  agenda,
  pgBoss,
  pgmqJs,
  graphileWorker,
  cloudflareWorkers,
  dapr,
  inngest,
  triggerDevSdk,
  stripe,
  polarShSdk,
  svix,
  upstashQstash,
  clerkWebhooks,
  shopify,
  ...webhooks,
  octokitWebhooks,
  express,
  next,
  fastify,
  hono,
  hapi,
  dojotMicroserviceSdk,
  ffcMessaging,
  sst,
  wasp,
  webResponse,
];
