import type { FieldError } from '../../contract/errors.ts';
import { findValueProblem } from '../../contract/variable-values.ts';
import type { Shape, Variable } from '../../contract/variables.ts';
import { AppError } from '../../errors.ts';
import { tryTo } from '../../platform/try-to.ts';
import { parseJsonText } from '../middleware/body.ts';

type Texts = Readonly<Record<string, string>>;

/**
 * Converts arguments to the variables of a render. Arguments are strings, so where a number, a list or an object is expected, the string
 * must contain JSON. One error names all arguments that are missing or cannot be parsed.
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

/** Describes what to send as an argument, or returns undefined if any string is valid. */
export function describeShape({
  type,
  values = [],
  kind,
  fields = [],
  items = {},
}: Pick<Variable, 'type' | 'values'> & Shape): string | undefined {
  if (type === 'number') return 'A number';
  if (type === 'boolean') return 'true or false';
  if (type === 'enum') return `One of: ${values.join(', ')}`;
  if (type === 'image') return 'The URL or data URL of an image';
  if (kind === undefined || kind === 'text') {
    if (type === 'list') return 'JSON text: a list';
    if (type === 'object') return 'JSON text: an object';
  }
  if (kind === 'object') return `JSON text: an object${describeFields(fields)}`;
  if (kind !== 'list') return undefined;
  return items.kind === 'object' ? `JSON text: a list of objects${describeFields(items.fields ?? [])}` : 'JSON text: a list';
}

function describeFields(fields: readonly { name: string }[]): string {
  const names = fields.slice(0, 10).map(({ name }) => name);
  return names.length === 0 ? '' : ` with ${names.join(', ')}${fields.length > names.length ? ', …' : ''}`;
}

/** The types whose values are not strings. */
const jsonTypes: string[] = ['number', 'boolean', 'list', 'object'];

const notJson = Symbol('not the JSON that the template uses');

/**
 * Reads the value of an argument. If JSON is expected, an empty string becomes undefined, because clients send one for a field that was not
 * filled in.
 */
function read({ type, kind }: Pick<Variable, 'type' | 'kind'>, text: string): unknown {
  const expected = type ?? kind;
  if (expected === undefined || !jsonTypes.includes(expected)) return text;
  if (text.trim() === '') return undefined;
  const value = tryTo(() => parseJsonText(text));
  return value !== undefined && findValueProblem({ type: expected }, value) === undefined ? value : notJson;
}

function missingArguments(names: string[], malformed: FieldError[]): AppError {
  const details = [...names.map((name) => ({ path: `/arguments/${name}`, message: 'Required' })), ...malformed];
  return new AppError('missing_variables', { text: `Arguments are missing: ${names.join(', ')}`, details, names });
}
