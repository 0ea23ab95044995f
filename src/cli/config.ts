import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readSettings, type EngineSettings } from '../settings/read.js';
import { UserError } from '../syntax/files.js';

const NAMES = ['idempotent-consumers.config.json', 'idempotent-consumers.config.js', 'idempotent-consumers.config.mjs'];

/** The settings from the named file, or from the nearest one in this folder or above. */
export async function loadSettings(cwd: string, given: string | undefined): Promise<EngineSettings> {
  const file = given === undefined ? nearest(cwd) : resolve(cwd, given);
  if (file === undefined) return readSettings(undefined);
  if (!existsSync(file)) throw new UserError(`--config ${given ?? file}: no such file. Give the path of a .json, .js or .mjs file with settings.`);
  return readSettings(await content(file), basename(file), dirname(file));
}

function nearest(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    for (const name of NAMES) if (existsSync(join(folder, name))) return join(folder, name);
    if (folder === dirname(folder)) return undefined;
  }
}

/** Only this file of the user's own is ever run; code under analysis never is. */
async function content(file: string): Promise<unknown> {
  const kind = extname(file);
  try {
    if (kind === '.json') return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')) as unknown;
    if (kind === '.js' || kind === '.mjs') return ((await import(pathToFileURL(file).href)) as { default?: unknown }).default;
  } catch (error) {
    throw new UserError(`${basename(file)} could not be read: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}. Correct ${file}, or give another file with --config.`);
  }
  throw new UserError(`--config ${basename(file)}: settings are a .json, .js or .mjs file.`);
}
