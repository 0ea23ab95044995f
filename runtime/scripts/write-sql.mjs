// Writes the schema as SQL files, for those who migrate by a tool of their own. Run `npm run build` first.
import { mkdirSync, writeFileSync } from 'node:fs';
import { schemaSql } from '../dist/index.js';
import { sqlFiles } from '../dist/schema.js';

const folder = new URL('../sql/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, options] of Object.entries(sqlFiles)) writeFileSync(new URL(name, folder), schemaSql(options));
