/** The proof as text, for a person. */
import type { Difference, Proof } from './proof.js';

export function report(proof: Omit<Proof, 'report'>): string {
  const { differences, runs, effects, limits, notCompared, seed } = proof;
  return [
    `${counted(differences.length, 'difference')} in ${counted(runs.length, 'run')}, seed ${seed}.`,
    `A clean delivery: ${effects.join(', ')}.`,
    ...(differences.length > 0 ? ['', ...differences.map(line)] : []),
    ...(notCompared.length > 0 ? ['', `Not compared, for two clean deliveries differ there: ${notCompared.join(', ')}.`] : []),
    ...(limits.length > 0 ? ['', ...limits.map((limit) => `Not tried: ${limit}.`)] : []),
  ].join('\n');
}

/** ``crash after `UPDATE accounts` and before the ack: balance 120 instead of 110`` */
export function line({ run, kind, what }: Difference): string {
  return `  ${kind.padEnd(11)} ${run}: ${kind === 'lost' ? `acknowledged, but ${what}` : what}`;
}

function counted(count: number, noun: string): string {
  return `${count === 0 ? 'No' : count} ${noun}${count === 1 ? '' : 's'}`;
}
