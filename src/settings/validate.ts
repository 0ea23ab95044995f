import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { UserError } from '../syntax/files.js';
import { settingsSchema } from './schema.js';
import type { Settings } from './settings.js';

let check: ValidateFunction<Settings> | undefined;

/** The value, known to fit the schema; an error that names key and value if it does not. */
export function validate(value: unknown, where: string): Settings {
  // Loaded late: most projects have no settings, and then linting need not pay for the validator.
  check ??= compile();
  if (check(value)) return value;
  throw new UserError(`${where}: ${explain(mostTelling(check.errors ?? []), value)}`);
}

function compile(): ValidateFunction<Settings> {
  const { Ajv: Validator } = createRequire(import.meta.url)('ajv') as { Ajv: typeof Ajv };
  return new Validator({ allErrors: true, verbose: true, allowUnionTypes: true }).compile<Settings>(settingsSchema);
}

/** `anyOf` adds an error for each of its branches; the one for the whole says it better. */
function mostTelling(errors: readonly ErrorObject[]): ErrorObject | undefined {
  return errors.find((e) => e.keyword === 'additionalProperties') ?? errors.find((e) => e.keyword === 'anyOf') ?? errors[0];
}

function explain(error: ErrorObject | undefined, whole: unknown): string {
  if (!error) return `${show(whole)} does not fit.`;
  const key = keyOf(error.instancePath);
  const at = key === '' ? '' : `${key}: `;
  const params = error.params as Record<string, unknown>;
  const { description, properties } = (error.parentSchema ?? {}) as { description?: string; properties?: Record<string, unknown> };
  switch (error.keyword) {
    case 'additionalProperties':
      return `${at}unknown key "${String(params.additionalProperty)}" with the value ${show((error.data as Record<string, unknown>)[String(params.additionalProperty)])}. Known keys: ${Object.keys(properties ?? {}).filter((k) => k !== '$schema').join(', ')}.`;
    case 'required':
      return `${at}"${String(params.missingProperty)}" is missing in ${show(error.data)}.`;
    case 'enum':
      return `${at}${show(error.data)} is none of ${(params.allowedValues as unknown[]).map((v) => show(v)).join(', ')}.`;
    case 'type':
      return `${at}${show(error.data)} is not ${String(params.type) === 'array' ? 'a list' : `of type ${String(params.type)}`}.`;
    case 'not':
      return `${at}give "package" or "file", not both: ${show(error.data)}.`;
    case 'propertyNames':
      return `${at}the key ${show(params.propertyName)} is not possible here.`;
    default:
      return `${at}${show(error.data)} is not possible here.${description === undefined ? '' : ` Expected: ${lower(description)}`}`;
  }
}

/** `/handlers/0/name` as one would write it: `handlers[0].name`. */
function keyOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part, i) => (/^\d+$/.test(part) ? `[${part}]` : i === 0 ? part : `.${part}`))
    .join('');
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
