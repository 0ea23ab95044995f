/** The JSON schema of the report that `--format json` prints, schema version 1. */
const file = { type: 'string', pattern: '^[^\\\\]*$', description: 'Relative to the root, with forward slashes.' };
const number = { type: 'integer', minimum: 0 };
const position = { type: 'integer', minimum: 1 };
const text = { type: 'string' };

function object(properties: Record<string, object>, optional: readonly string[] = []): object {
  // Later versions may add fields, so that others are allowed.
  return { type: 'object', properties, required: Object.keys(properties).filter((k) => !optional.includes(k)) };
}

function list(items: object): object {
  return { type: 'array', items };
}

const edit = object({ file, start: number, end: number, text });

const findingFields = {
  id: text,
  rule: text,
  severity: { enum: ['error', 'warning'] },
  message: text,
  file,
  line: position,
  column: position,
  endLine: position,
  endColumn: position,
  trace: list(object({ file, line: position, message: text })),
  suggestions: list(object({ title: text, edits: list(edit) })),
};

const suppression = object({ by: { enum: ['comment', 'baseline'] }, reason: text }, ['reason']);

const step = object(
  {
    kind: { enum: ['read', 'begin', 'commit', 'rollback', 'write', 'external', 'dedup-check', 'dedup-record', 'ack', 'nack', 'throw', 'return'] },
    detail: text,
    writeKind: { enum: ['absolute', 'delta', 'insert', 'upsert', 'insert-or-ignore', 'guarded', 'delete'] },
    file,
    detached: { type: 'boolean' },
    line: position,
  },
  ['writeKind', 'detached'],
);

const handler = object({
  id: text,
  name: text,
  file,
  line: position,
  endLine: position,
  client: text,
  registeredAt: object({ file, line: position }),
  acknowledgement: { enum: ['on-return', 'explicit', 'on-delivery', 'none'] },
  verdict: { enum: ['safe', 'unsafe', 'unproven'] },
  guards: list(text),
  timeline: list(step),
  findings: list(object(findingFields)),
  suppressed: list(object({ ...findingFields, suppression })),
});

export const jsonSchema = object({
  schemaVersion: { const: 1 },
  tool: object({ name: { const: 'idempotent-consumers' }, version: text }),
  summary: object(
    {
      files: number,
      handlers: number,
      findings: number,
      byRule: { type: 'object', additionalProperties: position },
      byVerdict: object({ safe: number, unproven: number, unsafe: number }),
      suppressed: number,
      unchanged: number,
      unresolved: number,
      durationMs: number,
    },
    ['unchanged'],
  ),
  handlers: list(handler),
  problems: list(object({ file, message: text })),
});
