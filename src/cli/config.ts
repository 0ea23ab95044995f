import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readSettings, type EngineSettings } from '../settings/read.js';
import { UserError } from '../syntax/files.js';

const KINDS = ['.json', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts'];

/** The settings from the named file, or from the nearest one in this folder or above. */
export async function loadSettings(cwd: string, given: string | undefined): Promise<EngineSettings> {
  const file = given === undefined ? nearest(cwd) : resolve(cwd, given);
  if (file === undefined) return readSettings(undefined);
  if (!existsSync(file)) throw new UserError(`--config ${given ?? file}: no such file. Give the path of a file with settings.`);
  return readSettings(await content(file), basename(file), dirname(file));
}

function nearest(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = KINDS.map((kind) => join(folder, `idempotent-consumers.config${kind}`)).find((file) => existsSync(file));
    if (found !== undefined) return found;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Only this file of the user's own is ever run; code under analysis never is. */
async function content(file: string): Promise<unknown> {
  const kind = extname(file);
  if (!KINDS.includes(kind)) throw new UserError(`--config ${basename(file)}: settings are a ${KINDS.slice(0, -1).join(', ')} or ${KINDS.at(-1) ?? ''} file.`);
  if (kind.endsWith('ts') && !loadsTypeScript()) throw new UserError(`${basename(file)} is TypeScript, which Node.js ${process.versions.node} does not load; from 22.18 on it does. Write it as .json or .mjs, or use a later Node.js.`);
  try {
    if (kind === '.json') return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')) as unknown;
    const module = (await import(pathToFileURL(file).href)) as { default?: unknown };
    if (module.default !== undefined) return module.default;
  } catch (error) {
    throw new UserError(`${basename(file)} could not be read: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}. Correct ${file}, or give another file with --config.`);
  }
  throw new UserError(`${basename(file)} exports nothing. Write \`export default { … }\`, or \`module.exports = { … }\` in a .cjs file.`);
}

function loadsTypeScript(): boolean {
  return Boolean((process.features as { typescript?: string | false }).typescript);
}
