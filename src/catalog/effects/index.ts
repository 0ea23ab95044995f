import type { Library } from '../schema.js';
import adyen from './adyen.js';
import anthropic from './anthropic.js';
import awsCloudwatch from './aws-cloudwatch.js';
import awsEventbridge from './aws-eventbridge.js';
import awsFirehose from './aws-firehose.js';
import awsKinesis from './aws-kinesis.js';
import awsLambdaClient from './aws-lambda-client.js';
import awsLibStorage from './aws-lib-storage.js';
import awsOther from './aws-other.js';
import awsS3 from './aws-s3.js';
import awsScheduler from './aws-scheduler.js';
import awsSecretsManager from './aws-secrets-manager.js';
import awsSes from './aws-ses.js';
import awsSesv2 from './aws-sesv2.js';
import awsSfn from './aws-sfn.js';
import awsSns from './aws-sns.js';
import awsSsm from './aws-ssm.js';
import axios from './axios.js';
import braintree from './braintree.js';
import discord from './discord.js';
import durableFunctions from './durable-functions.js';
import fetch from './fetch.js';
import ffcPayEventPublisher from './ffc-pay-event-publisher.js';
import { basicFtp, ssh2SftpClient } from './file-transfer.js';
import firebaseAdmin from './firebase-admin.js';
import googleCloudStorage from './google-cloud-storage.js';
import googleCloudTasks from './google-cloud-tasks.js';
import got from './got.js';
import graphqlRequest from './graphql-request.js';
import httpRequest from './http-request.js';
import loops from './loops.js';
import mailgun from './mailgun.js';
import minio from './minio.js';
import nestjsAxios from './nestjs-axios.js';
import nodeFetch from './node-fetch.js';
import nodeHttp from './node-http.js';
import nodemailer from './nodemailer.js';
import octokit from './octokit.js';
import openai from './openai.js';
import paypal from './paypal.js';
import postmark from './postmark.js';
import resend from './resend.js';
import sendgridMail from './sendgrid-mail.js';
import slack from './slack.js';
import slackWebhook from './slack-webhook.js';
import square from './square.js';
import superagent from './superagent.js';
import telegram from './telegram.js';
import temporalioClient from './temporalio-client.js';
import trpcClient from './trpc-client.js';
import twilio from './twilio.js';
import undici from './undici.js';
import waspServer from './wasp-server.js';
import webPush from './web-push.js';

const apis: Library[] = [
  adyen,
  anthropic,
  awsCloudwatch,
  awsEventbridge,
  awsFirehose,
  awsKinesis,
  awsLambdaClient,
  awsLibStorage,
  awsOther,
  awsS3,
  awsScheduler,
  awsSecretsManager,
  awsSes,
  awsSesv2,
  awsSfn,
  awsSns,
  awsSsm,
  axios,
  basicFtp,
  braintree,
  discord,
  durableFunctions,
  fetch,
  ffcPayEventPublisher,
  firebaseAdmin,
  googleCloudStorage,
  googleCloudTasks,
  got,
  graphqlRequest,
  httpRequest,
  loops,
  mailgun,
  minio,
  nestjsAxios,
  nodeFetch,
  nodeHttp,
  nodemailer,
  octokit,
  openai,
  paypal,
  postmark,
  resend,
  sendgridMail,
  slack,
  slackWebhook,
  square,
  ssh2SftpClient,
  superagent,
  telegram,
  temporalioClient,
  trpcClient,
  twilio,
  undici,
  waspServer,
  webPush,
];

export const effects: Library[] = apis.map((api) => ({ ...api, remote: true }));
