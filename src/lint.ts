import { isAbsolute, resolve } from 'node:path';
import type { Rule as ESLintRule, SourceCode } from 'eslint';
import type { Rule } from '../rules/define.js';
import type { Preset, Suggestion } from './model/finding.js';
import type { Place } from './model/place.js';
import { findingsInText, Project, type FileFinding } from './project/project.js';
import { rootOf } from './project/root.js';
import { readSettings } from './settings/read.js';
import { isFileOnDisk } from './syntax/files.js';

/** The key of our settings among those of ESLint and oxlint. */
export const SETTINGS = 'idempotent-consumers';

/** A rule as ESLint and oxlint want it. Its work is done by the analysis that all rules of a file share. */
export function lintRule(rule: Rule): ESLintRule.RuleModule {
  return {
    meta: {
      type: 'problem',
      docs: { description: rule.description, recommended: rule.preset === 'recommended' },
      hasSuggestions: true,
      messages: withElsewhere(rule.messages),
      schema: [schema(rule)],
      defaultOptions: [{ preset: rule.preset }],
    },
    create(context) {
      const { preset = rule.preset } = (context.options[0] ?? {}) as { preset?: Preset };
      const found = findingsFor(context).filter((f) => f.finding.rule === rule.name && (preset === 'strict' || f.finding.preset === 'recommended'));
      if (found.length === 0) return {};
      return {
        Program() {
          for (const f of found) report(context, f);
        },
      };
    },
  };
}

function schema(rule: Rule): object {
  return {
    type: 'object',
    properties: {
      preset: {
        enum: ['recommended', 'strict'],
        default: rule.preset,
        description: '`recommended`: what the visible code proves. `strict`: also what is likely.',
      },
    },
    additionalProperties: false,
  };
}

/** Each message has a second form, for a finding in a file that the linted one leads to. */
function withElsewhere(messages: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(messages).flatMap(([id, text]) => [[id, text], [`${id}Elsewhere`, `This leads to {{at}}: ${text}`]]));
}

function report(context: ESLintRule.RuleContext, { finding, place, elsewhere }: FileFinding): void {
  context.report({
    loc: locate(place, context.sourceCode.text),
    ...(elsewhere ? { messageId: `${finding.messageId}Elsewhere`, data: { ...finding.data, at: `${elsewhere.file}:${elsewhere.line}` } } : { messageId: finding.messageId, data: finding.data }),
    ...(!elsewhere && { suggest: finding.suggestions.filter((s) => s.edits.every((e) => e.file === place.file)).map(suggestion) }),
  });
}

function suggestion({ title, edits }: Suggestion): ESLintRule.SuggestionReportDescriptor {
  return { desc: title, fix: (fixer) => edits.map((e) => fixer.replaceTextRange([e.start, e.end], e.text)) };
}

/** A mark under a whole handler would hide what is in it: of a longer place only the first line is marked. */
function locate(place: Place, text: string): { start: Position; end: Position } {
  const start = { line: place.line, column: place.column - 1 };
  if (place.endLine === place.line) return { start, end: { line: place.endLine, column: place.endColumn - 1 } };
  const lineEnd = text.slice(place.start).search(/\r|\n|$/);
  return { start, end: { line: start.line, column: start.column + lineEnd } };
}

interface Position {
  line: number;
  column: number;
}

interface Analysed {
  text: string;
  file: string;
  settings: unknown;
  findings: readonly FileFinding[];
}

const analysed = new WeakMap<SourceCode, Analysed>();

/** The findings of all rules in the linted file. */
function findingsFor(context: ESLintRule.RuleContext): readonly FileFinding[] {
  const { sourceCode } = context;
  const { text } = sourceCode;
  const file = context.filename;
  const settings = context.settings[SETTINGS];
  const known = analysed.get(sourceCode);
  // One linter has a single `sourceCode` for all files, so the text decides.
  if (known && known.text === text && known.file === file && same(known.settings, settings)) return known.findings;
  const findings = analyse(file, text, context.cwd, settings);
  analysed.set(sourceCode, { text, file, settings, findings });
  return findings;
}

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function analyse(filename: string, text: string, cwd: string, raw: unknown): readonly FileFinding[] {
  const name = filename.startsWith('<') ? 'input.ts' : filename;
  const file = isAbsolute(name) ? name : resolve(cwd, name);
  const project = projectOf(file, cwd, raw);
  if (!project.lists(file) && !isFileOnDisk(file)) return findingsInText(file, text, readSettings(raw));
  return project.findingsIn(file, text);
}

const roots = new Map<string, string>();
const projects = new Map<string, Project>();

function projectOf(file: string, cwd: string, raw: unknown): Project {
  const place = `${cwd}\0${file.slice(0, Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')))}`;
  let root = roots.get(place);
  if (root === undefined) roots.set(place, (root = rootOf(file, cwd)));
  const key = `${root}\0${raw === undefined ? '' : JSON.stringify(raw)}`;
  let project = projects.get(key);
  if (!project) projects.set(key, (project = new Project(root, readSettings(raw))));
  return project;
}
