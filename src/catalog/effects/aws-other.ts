import { defineLibrary, type Call, type Shape } from '../schema.js';

const command = (call: Call): Shape => ({ construct: { returns: { command: call } } });

/** Asks, or computes an answer from what it is given. */
const READS = /^(Get|BatchGet|List|Describe|Search|Query|Scan|Lookup|Select|Check|Test|Validate|Estimate|Simulate|Head|Detect|BatchDetect|Recognize|Analyze|Compare|Classify|Translate|Synthesize|Retrieve|Verify|Preview|Decrypt|Encrypt|ReEncrypt|Sign|Generate|Assume|Converse|Invoke(Model|Endpoint|Agent|Flow)|Resolve|Calculate|Discover|ExecuteStatement|BatchExecuteStatement)/;
/** Logs and traces. */
const TELEMETRY = /^(PutLogEvents|CreateLog(Stream|Group)|PutTraceSegments|PutTelemetryRecords)Command$/;
/** Does something anew on each call. */
const ACTS = /^(Send|Publish|Start|Run|Invoke|Execute|Request|Post|Import|Initiate|Submit|Resend|Resume|Reboot|Restart)/;

/**
 * The clients of the AWS SDK v3 that have no entry of their own: the verb that each command begins with says what it does.
 * What creates, changes or deletes a thing names it, and does the same again.
 */
export default defineLibrary({
  name: 'aws-sdk-client',
  packages: ['@aws-sdk/client-*'],
  exports: {},
  exportsLike: [
    { named: TELEMETRY, shape: command({ effect: { kind: 'external', negligible: true } }) },
    { named: /Client$/, shape: { construct: { returns: 'Client' } } },
    { named: new RegExp(`${READS.source}\\w*Command$`), shape: command({ effect: { kind: 'read' } }) },
    { named: new RegExp(`${ACTS.source}\\w*Command$`), shape: command({ effect: { kind: 'external', contentUnseen: true } }) },
    { named: /Command$/, shape: command({ effect: { kind: 'external', idempotent: true } }) },
    { named: /^(paginate|waitUntil)/, shape: { call: { effect: { kind: 'read' } } } },
  ],
  types: { Client: { extendable: true, members: { send: { call: { sends: '0', nodeCallback: true } }, destroy: { call: {} }, middlewareStack: {} } } },
});
