import { resolve } from 'node:path';
import type { ProgramReport } from '../model/handler.js';
import { toExplanation, toList } from '../report/explanation.js';
import { UserError } from '../syntax/files.js';
import { colorOn, widthOf, type Surroundings } from './surroundings.js';

export interface Line {
  file: string;
  line: number;
}

/** `src/orders.ts:42`, and `C:\orders.ts:42` on Windows. */
export function lineIn(cwd: string, text: string, option = '--explain'): Line {
  const [, file = '', line = ''] = /^(.+):(\d+)(?::\d+)?$/.exec(text) ?? [];
  if (file === '') throw new UserError(`${option} ${text}: give a file and a line, such as src/orders.ts:42.`);
  return { file: resolve(cwd, file), line: Number(line) };
}

export function listed(report: ProgramReport, around: Surroundings): string {
  return toList(report.handlers, { width: widthOf(around), color: colorOn(around) });
}

/** The innermost handler on the line; if there is none, those that reach it. */
export function explained(report: ProgramReport, given: string, around: Surroundings): string {
  const found = report.handlers.filter((h) => h.explanation);
  if (found.length === 0) throw new UserError(`--explain ${given}: no handler holds or reaches this line. --list shows the handlers that are found; one that is missing is registered in a way that is not known, which the settings can describe.`);
  const own = found.filter((h) => h.explanation?.own);
  const inner = Math.max(...own.map((h) => h.place.start));
  return toExplanation(own.length > 0 ? own.filter((h) => h.place.start === inner) : found, { width: widthOf(around), color: colorOn(around) });
}
