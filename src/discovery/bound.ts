import type { Registration } from '../catalog/schema.js';
import type { BoundFunction } from '../infrastructure/function-json.js';
import type { Infrastructure } from '../infrastructure/infrastructure.js';
import type { Evaluator } from '../origin/evaluate.js';
import type { Value } from '../origin/value.js';
import type { SourceFile } from '../syntax/compiler.js';
import { exportsOf } from '../syntax/exports.js';
import { sourceAt } from './deployed.js';
import { handlersIn, type Registered } from './registered.js';

/** What the host calls where `function.json` names no entry point: `run`, `index`, or the only export. */
const ENTRY_POINTS = ['run', 'index', 'default'];

/**
 * Functions of Azure Functions up to version 3 of the programming model: `function.json` says what triggers them, and the
 * code need not. The catalog knows each trigger by the type of its binding.
 */
export function boundIn(e: Evaluator, infrastructure: Infrastructure, files: ReadonlySet<string>): Registered[] {
  const library = e.catalog.library('@azure/functions');
  if (!library) return [];
  return infrastructure.bound().flatMap((bound) => {
    const registration = library.types?.[bound.trigger]?.handlerType;
    const source = registration && sourceAt(e, bound.module, files);
    const handler = source && entryOf(e, source, bound);
    if (!handler) return [];
    const functions = handlersIn(e, handler);
    const [fn] = functions;
    // `context.done()` ends a function that is not async: what happens until then is not the return's to lose.
    if (!fn || functions.some((f) => /\.\s*done\b/.test(f.node.getText()))) return [];
    return [{ library, registration: bound.many ? batched(registration) : registration, at: fn.node, frame: e.fileFrame(source), handler, bound }];
  });
}

function entryOf(e: Evaluator, source: SourceFile, { entryPoint }: BoundFunction): Value | undefined {
  const { named } = exportsOf(source);
  const names = entryPoint !== undefined ? [entryPoint] : [...ENTRY_POINTS, ...(named.size === 1 ? named.keys() : [])];
  return names.map((name) => e.moduleExport(source, name)).find((value) => handlersIn(e, value).length > 0);
}

/** The message is the second parameter, behind the context. */
function batched(registration: Registration): Registration {
  const [context = {}, message = {}] = registration.params ?? [];
  return { ...registration, params: [context, { batch: true, element: message }] };
}
