import { relative, sep } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { ProgramReport } from '../model/handler.js';
import { toGithub } from '../report/github.js';
import { toHtml } from '../report/html.js';
import { toJson } from '../report/json.js';
import { toMarkdown } from '../report/markdown.js';
import { toSarif } from '../report/sarif.js';
import { toText } from '../report/text.js';
import { colorOn, widthOf, type Surroundings } from './surroundings.js';
import { tool } from './tool.js';

type Format = (report: ProgramReport, around: Surroundings, toFile: boolean) => string;

const formats: Record<string, Format> = {
  text: (report, around, toFile) => toText(report, { width: widthOf(around), color: !toFile && colorOn(around), ...(report.root !== around.cwd && { root: report.root }) }),
  json: (report) => toJson(report, { name: tool().name, version: tool().version }),
  sarif: (report) => toSarif(report, tool()),
  github: (report, around) => toGithub(report, fromRepository(report.root, around.env.GITHUB_WORKSPACE)),
  markdown: (report) => toMarkdown(report),
  html: (report) => toHtml(report, tool()),
};

export const formatNames = Object.keys(formats);

/** A report that was asked for: `json`, or `json=report.json`. */
export interface Wanted {
  format: string;
  /** Where it goes; the standard output if left out. */
  file?: string;
}

export function render({ format, file }: Wanted, report: ProgramReport, around: Surroundings): string {
  const made = formats[format]?.(report, around, file !== undefined) ?? '';
  return `${made}\n`;
}

export function wanted(text: string, before: readonly Wanted[] = []): Wanted[] {
  const [format = '', ...rest] = text.split('=');
  const file = rest.join('=');
  if (!(format in formats)) throw new InvalidArgumentError(`Allowed choices are ${formatNames.join(', ')}, each with =FILE to write it there.`);
  if (rest.length > 0 && file === '') throw new InvalidArgumentError(`Name the file: ${format}=FILE.`);
  return [...before, { format, ...(file !== '' && { file }) }];
}

/** GitHub shows an annotation only if its path starts at the repository's folder. */
function fromRepository(root: string, workspace: string | undefined): string {
  if (!workspace) return '';
  const way = relative(workspace, root).split(sep).join('/');
  return way.startsWith('..') ? '' : way;
}
