import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rules } from '../../rules/index.js';
import type { Tool } from '../report/tool.js';
import { version } from '../version.js';

export const name = 'idempotent-consumers';

/** The command, with its rules and their pages, for reports that carry them along. */
export function tool(): Tool {
  const folder = packageFolder();
  return {
    name,
    version,
    rules: rules.map((r) => {
      const page = join(folder, 'docs', 'rules', `${r.name}.md`);
      return { name: r.name, description: r.description, preset: r.preset, severity: r.severity, ...(existsSync(page) && { page: readFileSync(page, 'utf8') }) };
    }),
  };
}

/** Where this package is installed. */
function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}
