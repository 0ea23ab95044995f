import type { Value } from './value.js';

/** Whether a condition holds, if its value says it wherever the code runs: what nobody gives is absent, what is written out is there. */
export function truthOf(v: Value): boolean | undefined {
  if (v.kind === 'constant') return Boolean(v.value);
  if (isThere(v)) return true;
  if (v.kind !== 'derived') return undefined;
  const [a, b] = v.parts;
  if (!a) return undefined;
  if (v.operator === '!') return negated(truthOf(a));
  if (!b || !/^[!=]==?$/.test(v.operator)) return undefined;
  const equal = areEqual(a, b, v.operator.length === 2);
  return v.operator.startsWith('!') ? negated(equal) : equal;
}

function negated(truth: boolean | undefined): boolean | undefined {
  return truth === undefined ? undefined : !truth;
}

function areEqual(a: Value, b: Value, loosely: boolean): boolean | undefined {
  if (a.kind === 'constant' && b.kind === 'constant') {
    if (!loosely || typeof a.value === typeof b.value) return a.value === b.value;
    // `==` converts: only that null and undefined are one is told here.
    return a.value == null || b.value == null ? a.value == b.value : undefined;
  }
  const isAbsent = (v: Value): boolean => v.kind === 'constant' && v.value == null;
  return (isAbsent(a) && isThere(b)) || (isAbsent(b) && isThere(a)) ? false : undefined;
}

/** Written out in the code, and no text: that may be empty. */
function isThere({ kind }: Value): boolean {
  return kind === 'object' || kind === 'list' || kind === 'function' || kind === 'class';
}
