/**
 * A harness that runs a consumer under crashes, failures and duplicates, and tells what they change.
 *
 * ```ts
 * import { assertIdempotent } from '@idempotent-consumers/inbox/testing';
 *
 * test('the transfer survives crashes and duplicates', () => assertIdempotent('test/transfer.scenario.mjs'));
 * ```
 */
import { AssertionError } from 'node:assert';
import type { Proof, ProofOptions } from './proof.js';
import { proveHandler } from './prove.js';

export { sqsLambda } from './brokers/sqs.js';
export { effect } from './effects.js';
export { proveHandler, ScenarioError } from './prove.js';
export type { Difference, Proof, ProofOptions } from './proof.js';
export type { Answer, HttpCall, Respond } from './recorder.js';
export type { Database, Delivery, Message, Scenario } from './scenario.js';
export type { Change, DifferenceKind } from './world.js';

/**
 * Resolves to the proof if nothing that was tried changes the outcome. Throws an `AssertionError` with the report if
 * something does, or if limits kept the harness from trying all; its `proof` is the same for machines. For any test
 * runner: it needs nothing but `node:assert`. Takes seconds, so give the test a timeout above `timeBudget`.
 */
export async function assertIdempotent(scenario: string | URL, options: ProofOptions = {}): Promise<Proof> {
  const proof = await proveHandler(scenario, options);
  if (proof.verdict === 'idempotent') return proof;
  const error = new AssertionError({ message: proof.report, operator: 'assertIdempotent', stackStartFn: assertIdempotent });
  throw Object.assign(error, { proof });
}
