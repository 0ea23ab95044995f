import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Version and bug tracker, from the package.json that this file was installed with. */
export function packageInfo(): { version: string; bugs: string } {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  const { version, bugs } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string; bugs?: string | { url?: string } };
  const url = typeof bugs === 'string' ? bugs : bugs?.url;
  return { version, bugs: url === undefined ? ' to the maintainers of eslint-plugin-idempotent-consumers' : ` at ${url}` };
}
