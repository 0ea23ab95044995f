import type { Evaluator } from '../origin/evaluate.js';
import type { SourceFile } from '../syntax/compiler.js';
import { indexOf } from '../syntax/scope.js';
import { tableKeys, type TableKeys } from './table.js';

export const objectionWords = ['tableName'];

/** Models of Objection name their table, and leave its keys to the migrations: `static tableName = 'orders'`. */
export function readObjection(source: SourceFile, e: Evaluator): TableKeys[] {
  return indexOf(source).classes.flatMap((cls) => {
    const table = e.staticMember(cls, 'tableName', e.openFrame(cls));
    return cls.name && table?.kind === 'constant' && typeof table.value === 'string' ? [tableKeys([cls.name.text, table.value], { whole: false })] : [];
  });
}
