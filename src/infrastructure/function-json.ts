import { basename, dirname, resolve } from 'node:path';
import type { Files } from '../syntax/files.js';
import { isRecord, stringOf } from './resource.js';

/** A function of Azure Functions that a `function.json` binds to what triggers it. */
export interface BoundFunction {
  /** The `function.json`. */
  file: string;
  /** Where its code is: a path without extension. */
  module: string;
  /** The export that is called, where it is named. */
  entryPoint?: string;
  /** `queueTrigger`. */
  trigger: string;
  /** It gets a list of messages. */
  many: boolean;
}

/** One folder a function: `function.json` stands beside the code, or names it. */
export function boundFunctions(files: Files): BoundFunction[] {
  return files.beside().flatMap((file) => {
    if (basename(file) !== 'function.json') return [];
    const read = parse(files.text(file) ?? '');
    if (!isRecord(read) || !Array.isArray(read.bindings)) return [];
    const trigger = read.bindings.filter(isRecord).find((b) => /Trigger$/.test(stringOf(b.type) ?? ''));
    if (!trigger) return [];
    const script = (stringOf(read.scriptFile) ?? 'index').replace(/\.[cm]?[jt]s$/, '');
    const entryPoint = stringOf(read.entryPoint);
    return [{ file, module: resolve(dirname(file), script), ...(entryPoint !== undefined && { entryPoint }), trigger: stringOf(trigger.type) as string, many: trigger.cardinality === 'many' }];
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
