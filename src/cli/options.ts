import { Command, InvalidArgumentError, Option } from 'commander';
import type { Preset } from '../model/finding.js';
import { UserError } from '../syntax/files.js';
import { version } from '../version.js';
import { within } from './commander.js';
import { formatNames, wanted, type Wanted } from './formats.js';
import type { Surroundings } from './surroundings.js';
import { name } from './tool.js';

export interface Options {
  paths: string[];
  /** The reports to make, the one for the standard output last. */
  reports: Wanted[];
  preset: Preset;
  config?: string;
  maxFindings: number;
  baseline?: string;
  updateBaseline: boolean;
  changedSince?: string;
  inlineConfig: boolean;
  list: boolean;
  explain?: string;
  debug: boolean;
  cache: boolean;
  cacheLocation?: string;
}

/** As commander gives them. */
interface Given extends Omit<Options, 'paths' | 'reports'> {
  format?: Wanted[];
  output?: string;
}

/** Throws commander's `CommanderError` for `--help` and `--version`, and for options that do not fit. */
export function parseOptions(argv: readonly string[], around: Surroundings): Options {
  const program = new Command(name)
    .description('Finds message handlers that lose or repeat work when a message is delivered twice or a process crashes halfway.')
    .argument('[paths...]', 'files and folders to analyse (default: the current folder)')
    .option('-f, --format <format[=file]>', `how to report: ${formatNames.join(', ')} (default: text); with =file it is written there; may be given several times`, wanted)
    .option('-o, --output <file>', 'write the report there, and one line that sums up to the standard output')
    .addOption(new Option('--preset <preset>', 'which rules to apply').choices(['recommended', 'strict']).default('recommended'))
    .option('--config <file>', 'settings (default: idempotent-consumers.config.json, .js, .mjs, .cjs or .ts here or in a folder above)')
    .option('--max-findings <number>', 'fail only if there are more findings', count, 0)
    .option('--baseline <file>', 'do not count the findings that stand in this file')
    .option('--update-baseline', 'make that file if it is missing; otherwise take out of it what is gone', false)
    .option('--changed-since <ref>', 'report only what touches files that changed since this git commit, branch or tag')
    .option('--no-inline-config', 'count what eslint-disable comments switch off')
    .option('--list', 'list the handlers that are found, and stop', false)
    .option('--explain <file:line>', 'tell how the handler there was found, what its calls were taken for and what each rule says, and stop')
    .option('--cache', 'keep the result, and use it again while nothing has changed that could change it', false)
    .option('--cache-location <file>', 'where to keep it (default: in node_modules/.cache of the analysed root); implies --cache')
    .option('--debug', 'print the stack of an unexpected error', false)
    .version(version)
    .addHelpText('after', '\nExit codes: 0 no findings, 1 findings (more than --max-findings), 2 the analysis could not run.')
    .addHelpText('after', `\n${name} fix --help tells how to apply the suggestions, ${name} adopt --help how to move a handler onto the inbox.`);
  within(program, around).parse(argv, { from: 'user' });
  const { format, output, ...options } = program.opts<Given>();
  if (options.updateBaseline && options.baseline === undefined) throw new UserError('--update-baseline needs --baseline FILE, the file to make or to update.');
  if (options.list && options.explain !== undefined) throw new UserError('--list and --explain cannot be given together.');
  if ((options.list || options.explain !== undefined) && (format ?? output) !== undefined) throw new UserError(`${options.list ? '--list' : '--explain'} prints text. For programs, --format json has each handler.`);
  return { ...options, reports: reports(format ?? [], output), paths: program.args };
}

/** At most one report can be printed: the others need a file. */
function reports(formats: readonly Wanted[], output: string | undefined): Wanted[] {
  const printed = formats.filter((f) => f.file === undefined);
  if (printed.length > 1) throw new UserError(`only one format can be printed, and there are ${printed.map((f) => f.format).join(' and ')}. Give the others a file: --format ${printed[0]?.format ?? ''}=FILE.`);
  const written = formats.filter((f) => f.file !== undefined);
  if (output !== undefined) {
    if (formats.length > 0 && printed.length === 0) throw new UserError('--output names a file, and so does each --format. Leave one of them out.');
    return checked([...written, { format: printed[0]?.format ?? 'text', file: output }]);
  }
  return checked([...written, ...(formats.length === 0 ? [{ format: 'text' }] : printed)]);
}

function checked(list: Wanted[]): Wanted[] {
  const twice = list.find((a, i) => a.file !== undefined && list.findIndex((b) => b.file === a.file) !== i);
  if (twice) throw new UserError(`two reports would go to ${twice.file ?? ''}. Give each a file of its own.`);
  return list;
}

function count(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return Number(text);
}
