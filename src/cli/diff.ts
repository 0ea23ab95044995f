import { createTwoFilesPatch } from 'diff';
import pc from 'picocolors';
import type { ChangedFile } from '../apply.js';

/** A unified diff, as git prints it. */
export function diffOf({ file, before, after }: ChangedFile, color: boolean): string {
  const c = pc.createColors(color);
  const paint = (line: string): string => {
    if (line.startsWith('+++') || line.startsWith('---')) return c.bold(line);
    if (line.startsWith('@@')) return c.cyan(line);
    if (line.startsWith('+')) return c.green(line);
    return line.startsWith('-') ? c.red(line) : line;
  };
  const lines = createTwoFilesPatch(`a/${file}`, `b/${file}`, before, after, '', '', { context: 3 }).split('\n');
  return lines.filter((l) => !l.startsWith('====')).map(paint).join('\n').trimEnd();
}
