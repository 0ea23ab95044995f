import { Command, Option } from 'commander';
import { rules } from '../../rules/index.js';
import { within } from './commander.js';
import type { FixOptions } from './fix.js';
import type { Surroundings } from './surroundings.js';
import { name } from './tool.js';

/** Throws commander's `CommanderError` for `--help`, and for options that do not fit. */
export function parseFixOptions(argv: readonly string[], around: Surroundings): FixOptions {
  const program = new Command(`${name} fix`)
    .description('Applies suggestions, one after another, and shows what they change. They change what the program does: read the changes before you commit them.')
    .argument('[paths...]', 'files and folders to analyse (default: the current folder)')
    .addOption(new Option('--rule <rule>', 'apply suggestions of this rule only').choices(rules.map((r) => r.name)))
    .option('--dry-run', 'show the changes, and write nothing', false)
    .option('--interactive', 'ask before each change', false)
    .addOption(new Option('--preset <preset>', 'which rules to apply').choices(['recommended', 'strict']).default('recommended'))
    .option('--config <file>', 'settings (default: idempotent-consumers.config.json, .js, .mjs, .cjs or .ts here or in a folder above)')
    .option('--baseline <file>', 'leave the findings alone that stand in this file')
    .option('--no-inline-config', 'mend what eslint-disable comments switch off too')
    .option('--debug', 'print the stack of an unexpected error', false)
    .addHelpText('after', '\nExit codes: 0 no finding is left, 1 findings are left, 2 the analysis could not run.');
  within(program, around).parse(argv, { from: 'user' });
  return { ...program.opts<Omit<FixOptions, 'paths'>>(), paths: program.args };
}
