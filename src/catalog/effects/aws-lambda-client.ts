import { defineLibrary, type Call } from '../schema.js';
import { alike } from '../stores/alike.js';
import { awsClient } from './aws-commands.js';

/** @aws-sdk/client-lambda 3.1169: an error of the function is `FunctionError` in an answer with status 200. */
export default defineLibrary(
  awsClient('@aws-sdk/client-lambda', 'Lambda', {
    Invoke: { effect: { kind: 'external', data: '0.Payload', content: '0.Payload', failureIn: 'FunctionError', unanswered: { arg: '0.InvocationType', is: ['Event', 'DryRun'] } } },
    ...alike('InvokeAsync InvokeWithResponseStream', { effect: { kind: 'external', data: '0.InvokeArgs', content: ['0.InvokeArgs', '0.Payload'] } } satisfies Call),
    ...alike('GetFunction GetFunctionConfiguration ListFunctions GetAlias', { effect: { kind: 'read' } } satisfies Call),
  }),
);
