import type { Command } from 'commander';
import { colorOn, widthOf, type Surroundings } from './surroundings.js';
import { name } from './tool.js';

/** Lets a command speak through the surroundings, and throw commander's `CommanderError` instead of ending the process. */
export function within(program: Command, around: Surroundings): Command {
  return program
    .showHelpAfterError('Run with --help to see all options.')
    .configureOutput({
      writeOut: (text) => void around.stdout.write(text),
      writeErr: (text) => void around.stderr.write(text),
      outputError: (text, write) => write(`${name}: ${text.replace(/^error: /, '')}`),
      getOutHelpWidth: () => widthOf(around),
      getOutHasColors: () => colorOn(around),
    })
    .exitOverride();
}
