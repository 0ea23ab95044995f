import { defineLibrary } from '../schema.js';
import { awsClient } from './aws-commands.js';

/** @aws-sdk/client-cloudwatch 3.1169: telemetry. */
export default defineLibrary(
  awsClient('@aws-sdk/client-cloudwatch', 'CloudWatch', {
    PutMetricData: { effect: { kind: 'external', negligible: true } },
    GetMetricData: { effect: { kind: 'read' } },
    GetMetricStatistics: { effect: { kind: 'read' } },
  }),
);
