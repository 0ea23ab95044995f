import { Command } from 'commander';
import type { AdoptOptions } from './adopt.js';
import { within } from './commander.js';
import type { Surroundings } from './surroundings.js';
import { name } from './tool.js';

/** Throws commander's `CommanderError` for `--help`, and for options that do not fit. */
export function parseAdoptOptions(argv: readonly string[], around: Surroundings): AdoptOptions {
  const program = new Command(`${name} adopt`)
    .description('Moves one handler onto @idempotent-consumers/inbox: its statements run in one transaction with the record of the message, and a repeat of the message does nothing. For pg, Knex, Prisma, Drizzle, TypeORM and Kysely on PostgreSQL. Changes all or nothing.')
    .argument('<file:line>', 'a line of the handler')
    .argument('[paths...]', 'files and folders of the program (default: the current folder)')
    .option('--id <expression>', 'the id that the producer gave the message, as the handler can write it; otherwise it is looked for')
    .option('--consumer <name>', 'who handles the message: one name for each handler, the same for all time (default: made of the names in the code)')
    .option('--dry-run', 'show the changes, and write nothing', false)
    .option('--config <file>', 'settings (default: idempotent-consumers.config.json, .js, .mjs, .cjs or .ts here or in a folder above)')
    .option('--debug', 'print the stack of an unexpected error', false)
    .addHelpText('after', '\nExit codes: 0 the handler was moved, 1 something is in the way and nothing was changed, 2 the analysis could not run.');
  within(program, around).parse(argv, { from: 'user' });
  const [line = '', ...paths] = program.args;
  return { ...program.opts<Omit<AdoptOptions, 'line' | 'paths'>>(), line, paths };
}
