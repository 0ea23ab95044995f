import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';
import { runEngine } from '../engine.js';
import type { Finding } from '../model/finding.js';
import { applyEdits } from './context.js';

// Every suggestion that the fixtures get is made, and what comes out is judged anew: it parses, it has no type error
// that was not there, the finding is gone, and no other of its preset has come.

const fixtures = join(import.meta.dirname, '../../fixtures');
const folders = [join(fixtures, 'demo'), ...['clients', 'rules'].flatMap((kind) => readdirSync(join(fixtures, kind)).map((name) => join(fixtures, kind, name)))].filter((f) => statSync(f).isDirectory());
const cases = folders.flatMap((folder) => readdirSync(folder).filter((name) => folder.endsWith('demo') || name.startsWith('violating')).map((name) => join(folder, name)));

const temporary = mkdtempSync(join(tmpdir(), 'suggestions-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

const counts = { findings: 0, suggested: 0 };

describe('suggestions on the fixtures', () => {
  for (const path of cases) {
    const name = path.slice(fixtures.length + 1);
    it(name, () => {
      const home = mkdtempSync(join(temporary, 'case-'));
      cpSync(path, join(home, basename(path)), { recursive: true });
      const before = findings(home);
      counts.findings += before.length;
      for (const finding of before) {
        if (finding.suggestions.length > 0) counts.suggested++;
        for (const suggestion of finding.suggestions) {
          const file = join(home, finding.place.file);
          const text = readFileSync(file, 'utf8');
          writeFileSync(file, applyEdits(text, suggestion.edits));
          // Behind a mended fault a suspicion may come to light, such as a failure that nobody catches.
          const after = findings(home).filter((f) => f.preset === 'recommended' || finding.preset === 'strict');
          const now = readFileSync(file, 'utf8');
          expect(added(typeErrors(file, text), typeErrors(file, now)), `${suggestion.title}\n${now}`).toEqual([]);
          expect(commentsOf(now), now).toEqual(commentsOf(text));
          expect(added(without(before.map(cause), cause(finding)), after.map(cause)), `${suggestion.title}\n${now}`).toEqual([]);
          writeFileSync(file, text);
        }
      }
      expect(stepsUntilDone(home)).toBeLessThanOrEqual(before.length);
    });
  }

  it('reach the findings that an edit can mend', () => {
    expect(counts.suggested, `${counts.suggested} of ${counts.findings} findings have a suggestion`).toBeGreaterThanOrEqual(25);
  });
});

function findings(root: string): Finding[] {
  const { handlers, problems } = runEngine({ root, preset: 'strict' });
  expect(problems).toEqual([]);
  const seen = new Set<string>();
  return handlers.flatMap((h) => h.findings).filter((f) => !seen.has(f.id) && seen.add(f.id));
}

function cause(f: Finding): string {
  return `${f.rule}/${f.messageId} ${f.data.effect ?? ''}`;
}

/** What there is more of than before. */
function added(before: readonly string[], after: readonly string[]): string[] {
  return before.reduce((rest, one) => without(rest, one), [...after]);
}

function without(all: readonly string[], one: string): string[] {
  const at = all.indexOf(one);
  return at < 0 ? [...all] : all.filter((_, i) => i !== at);
}

/** Applies one suggestion after another until there is none left. */
function stepsUntilDone(home: string): number {
  for (let steps = 0; steps < 20; steps++) {
    const next = findings(home).find((f) => f.suggestions.length > 0);
    const [suggestion] = next?.suggestions ?? [];
    if (!next || !suggestion) return steps;
    const file = join(home, next.place.file);
    writeFileSync(file, applyEdits(readFileSync(file, 'utf8'), suggestion.edits));
  }
  return Infinity;
}

function commentsOf(text: string): string[] {
  return [...text.matchAll(/\/\/ .*/g)].map((m) => m[0]).sort();
}

const libraries = new Map<string, ts.SourceFile | undefined>();

/** What the compiler says, without positions. Packages that are not installed count as untyped. */
function typeErrors(file: string, text: string): string[] {
  const options: ts.CompilerOptions = { strict: true, noEmit: true, allowJs: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, types: ['node'], typeRoots: [join(fixtures, '../node_modules/@types')], skipLibCheck: true };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, version): ts.SourceFile | undefined => {
    if (name === file) return ts.createSourceFile(name, text, version, true);
    if (!libraries.has(name)) libraries.set(name, read(name, version));
    return libraries.get(name);
  };
  const program = ts.createProgram([file], options, host);
  const source = program.getSourceFile(file);
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((d) => ts.flattenDiagnosticMessageText(d.messageText, ' ')).sort();
}
