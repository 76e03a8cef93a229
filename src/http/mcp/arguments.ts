import type { FieldError } from '../../contract/errors.ts';
import type { Shape, Variable } from '../../contract/versions.ts';
import { AppError } from '../../errors.ts';
import { tryTo } from '../../platform/try-to.ts';
import { parseJsonText } from '../middleware/body.ts';

type Texts = Readonly<Record<string, string>>;

/**
 * Converts arguments to the variables of a render. Arguments are strings, so the argument for a list or an object must be JSON. Throws one
 * error for all arguments that are missing or cannot be parsed.
 */
export function toVariables(declared: readonly Variable[], given: Texts): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  const missing: string[] = [];
  const malformed: FieldError[] = [];
  for (const variable of declared) {
    const { name } = variable;
    const value = Object.hasOwn(given, name) ? read(variable, given[name] ?? '') : undefined;
    if (value === notJson) malformed.push({ path: `/arguments/${name}`, message: `Must be ${describeShape(variable)}` });
    else if (value !== undefined) variables[name] = value;
    else if (variable.required) missing.push(name);
  }
  if (missing.length > 0) throw missingArguments(missing, malformed);
  if (malformed.length > 0) throw new AppError('invalid_input', { text: 'Arguments are not valid', details: malformed });
  return variables;
}

/** Describes the valid values of an argument, or returns undefined if any string is valid. */
export function describeShape({ kind, fields = [], items = {} }: Shape): string | undefined {
  if (kind === 'object') return `JSON text: an object${describeFields(fields)}`;
  if (kind !== 'list') return undefined;
  return items.kind === 'object' ? `JSON text: a list of objects${describeFields(items.fields ?? [])}` : 'JSON text: a list';
}

function describeFields(fields: readonly { name: string }[]): string {
  const names = fields.slice(0, 10).map(({ name }) => name);
  return names.length === 0 ? '' : ` with ${names.join(', ')}${fields.length > names.length ? ', …' : ''}`;
}

const notJson = Symbol('not the JSON that the template uses');

/**
 * Reads the value of an argument. If JSON is expected, an empty string becomes undefined, because clients send it for a field that was not
 * filled in.
 */
function read({ kind }: Shape, text: string): unknown {
  if (kind !== 'list' && kind !== 'object') return text;
  if (text.trim() === '') return undefined;
  const value = tryTo(() => parseJsonText(text));
  return typeof value === 'object' && value !== null && Array.isArray(value) === (kind === 'list') ? value : notJson;
}

function missingArguments(names: string[], malformed: FieldError[]): AppError {
  const details = [...names.map((name) => ({ path: `/arguments/${name}`, message: 'Required' })), ...malformed];
  return new AppError('missing_variables', { text: `Arguments are missing: ${names.join(', ')}`, details, names });
}
