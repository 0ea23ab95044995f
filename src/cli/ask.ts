import { createInterface } from 'node:readline/promises';
import { UserError } from '../syntax/files.js';
import type { Surroundings } from './surroundings.js';

export type Answer = 'yes' | 'no' | 'quit';

/** Asks on the terminal until the answer is one of these; the end of the input counts as quit. */
export function asker({ stdin, stdout }: Surroundings): { ask: (question: string) => Promise<Answer>; close: () => void } {
  if (!stdin) throw new UserError('--interactive needs a terminal to ask on. Leave it out, or use --dry-run to see the changes.');
  const lines = createInterface({ input: stdin });
  const answers = lines[Symbol.asyncIterator]();
  return {
    close: () => { lines.close(); },
    async ask(question) {
      for (;;) {
        stdout.write(`${question} [y]es, [n]o, [q]uit: `);
        const { value, done } = (await answers.next()) as IteratorResult<string, undefined>;
        if (done) return 'quit';
        const first = (value ?? '').trim().toLowerCase();
        if (first === 'y' || first === 'yes') return 'yes';
        if (first === 'n' || first === 'no') return 'no';
        if (first === 'q' || first === 'quit') return 'quit';
      }
    },
  };
}
