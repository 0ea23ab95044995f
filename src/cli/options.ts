import { Command, InvalidArgumentError, Option } from 'commander';
import type { Preset } from '../model/finding.js';
import { packageInfo } from './package-info.js';
import { colorOn, widthOf, type Surroundings } from './surroundings.js';

export interface Options {
  paths: string[];
  format: 'text' | 'json';
  preset: Preset;
  config?: string;
  maxFindings: number;
  debug: boolean;
}

/** Throws commander's `CommanderError` for `--help` and `--version`, and for options that do not fit. */
export function parseOptions(argv: readonly string[], around: Surroundings): Options {
  const program = new Command('idempotent-consumers')
    .description('Finds message handlers that lose or repeat work when a message is delivered twice or a process crashes halfway.')
    .argument('[paths...]', 'files and folders to analyse (default: the current folder)')
    .addOption(new Option('--format <format>', 'how to report').choices(['text', 'json']).default('text'))
    .addOption(new Option('--preset <preset>', 'which rules to apply').choices(['recommended', 'strict']).default('recommended'))
    .option('--config <file>', 'settings (default: idempotent-consumers.config.json, .js or .mjs here or in a folder above)')
    .option('--max-findings <number>', 'fail only if there are more findings', count, 0)
    .option('--debug', 'print the stack of an unexpected error', false)
    .version(packageInfo().version)
    .addHelpText('after', '\nExit codes: 0 no findings, 1 findings (more than --max-findings), 2 the analysis could not run.')
    .showHelpAfterError('Run with --help to see all options.')
    .configureOutput({
      writeOut: (text) => void around.stdout.write(text),
      writeErr: (text) => void around.stderr.write(text),
      outputError: (text, write) => write(`idempotent-consumers: ${text.replace(/^error: /, '')}`),
      getOutHelpWidth: () => widthOf(around),
      getOutHasColors: () => colorOn(around),
    })
    .exitOverride();
  program.parse(argv, { from: 'user' });
  return { ...program.opts<Omit<Options, 'paths'>>(), paths: program.args };
}

function count(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return Number(text);
}
