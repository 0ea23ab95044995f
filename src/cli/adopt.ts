import { relative } from 'node:path';
import { adoptHandler, type Adopted } from '../adopt.js';
import { UserError } from '../syntax/files.js';
import { lineIn } from './asked.js';
import { loadSettings } from './config.js';
import { diffOf } from './diff.js';
import { rootFor } from './root.js';
import { colorOn, type Surroundings } from './surroundings.js';
import { writeBack } from './write.js';

export interface AdoptOptions {
  /** `FILE:LINE`. */
  line: string;
  paths: string[];
  id?: string;
  consumer?: string;
  config?: string;
  dryRun: boolean;
  debug: boolean;
}

/** `idempotent-consumers adopt`: moves a handler onto the inbox, or tells what is in the way. True if it was moved. */
export async function adopt(options: AdoptOptions, around: Surroundings): Promise<boolean> {
  const settings = await loadSettings(around.cwd, options.config);
  const asked = lineIn(around.cwd, options.line, 'adopt');
  const { root, paths } = rootFor(around.cwd, options.paths);
  const adopted = adoptHandler({
    root,
    ...(paths.length > 0 && { paths }),
    preset: 'strict',
    ...settings,
    debug: options.debug,
    adopt: { ...asked, ...(options.id !== undefined && { id: options.id }), ...(options.consumer !== undefined && { consumer: options.consumer }) },
  });
  if (!adopted.handler) throw new UserError(noHandler(options.line, adopted, relative(root, asked.file)));
  if (adopted.obstacles.length > 0) {
    around.stdout.write(`${refusal(adopted)}\n`);
    return false;
  }
  for (const changed of adopted.files) {
    around.stdout.write(`${diffOf(changed, colorOn(around))}\n\n`);
    if (!options.dryRun) writeBack(root, changed.file, changed.after, 'adopt');
  }
  around.stdout.write(`${summary(adopted, options)}\n`);
  return true;
}

function noHandler(line: string, { reachedBy }: Adopted, file: string): string {
  if (reachedBy.length === 0) return `adopt ${line}: no handler holds this line. --list shows the handlers that are found; one that is missing is registered in a way that is not known, which the settings can describe.`;
  return `adopt ${line}: ${file} has no handler on this line, but code that handlers reach. Give a line of one of them: ${reachedBy.map((h) => `${h.place.file}:${h.place.line}`).join(', ')}.`;
}

function refusal({ handler, obstacles }: Adopted): string {
  const where = obstacles.map((o) => `  ${o.place.file}:${o.place.line}  \`${o.name}\`\n    ${o.says.charAt(0).toUpperCase()}${o.says.slice(1)}`);
  return [`${handler?.name ?? ''} in ${handler?.place.file ?? ''}:${handler?.place.line ?? ''} was not moved onto the inbox, and nothing was changed. In the way:`, ...where].join('\n');
}

function summary({ handler, files, notes }: Adopted, { dryRun }: AdoptOptions): string {
  const done = `${handler?.name ?? ''} ${dryRun ? 'would run' : 'runs'} on the inbox, with ${files.length === 1 ? '1 file' : `${files.length} files`} changed.${dryRun ? ' Nothing was written.' : ' Read the changes and run your tests before you commit them.'}`;
  return [done, ...notes.map((n) => `- ${n}`)].join('\n');
}
