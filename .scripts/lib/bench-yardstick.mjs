// A yardstick of the benchmark, run as a process of its own: `node bench-yardstick.mjs floor|parse FOLDER`.
// floor: reads every source file and looks for a word in it. parse: makes a TypeScript tree of every source file.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { root } from './run.mjs';

const [what, folder] = process.argv.slice(2);
const { Files } = await import(pathToFileURL(join(root, 'dist/src/syntax/files.js')).href);
const files = new Files(folder).list();
if (what === 'floor') {
  const word = /\bkafkajs\b|\bamqplib\b|\bReceiveMessageCommand\b/;
  let found = 0;
  for (const file of files) if (word.test(readFileSync(file, 'utf8'))) found += 1;
  console.log(`${files.length} files, ${found} with a word`);
} else {
  const { default: ts } = await import('typescript');
  let bytes = 0;
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    bytes += text.length;
    ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  }
  console.log(`${files.length} files, ${bytes} characters`);
}
