import type { Evaluator } from '../origin/evaluate.js';
import { ts, type Node, type SourceFile } from '../syntax/compiler.js';
import { isDown } from './read.js';

export const embeddedWords = ['CREATE TABLE', 'create table', 'Create Table', 'UNIQUE INDEX', 'unique index', 'ALTER TABLE', 'alter table'];

const DEFINITION = /\bcreate\s+table\b|\bcreate\s+unique\s+index\b|\balter\s+table\b/i;

/** Definitions that stand in strings: `pgm.sql(…)`, `queryRunner.query(…)`, `knex.raw(…)`. */
export function embeddedSql(source: SourceFile, e: Evaluator): string {
  const found: string[] = [];
  const visit = (n: Node): void => {
    if (ts.isStringLiteralLike(n)) {
      if (DEFINITION.test(n.text) && !isDown(n)) found.push(n.text);
    } else if (ts.isTemplateExpression(n)) {
      const value = e.evaluate(n, e.openFrame(n));
      const text = value.kind === 'constant' ? String(value.value) : value.kind === 'text' ? value.parts.map((p) => (typeof p === 'string' ? p : 'hole_')).join('') : '';
      if (DEFINITION.test(text) && !isDown(n)) found.push(text);
    } else ts.forEachChild(n, visit);
  };
  visit(source);
  return found.join('\n;\n');
}
