import { findValueProblem } from '../../../../src/contract/variable-values.ts';
import type { Shape, Variable } from '../../lib/types.ts';

/** The input for a variable. The value of a variable that is switched off is kept, so that switching it on restores the value. */
export interface Entry {
  isGiven: boolean;
  value: unknown;
  /** The text of the JSON view while that view is open. The text may not be valid JSON yet. */
  json?: string | undefined;
}

export type Entries = Record<string, Entry>;

/** The maximum number of rows of a list that the form shows. */
const maxRows = 50;

export function findEntry(entries: Entries, name: string): Entry | undefined {
  // The lookup must be safe for a variable called `constructor`.
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}

/** Returns the values to render with, and the names of the variables whose JSON is not valid. */
export function valuesOf(entries: Entries): { values: Record<string, unknown>; broken: string[] } {
  const given = Object.entries(entries).filter(([, { isGiven }]) => isGiven);
  const broken = given.filter(([, { json }]) => json !== undefined && !parseJson(json).ok).map(([name]) => name);
  return { values: Object.fromEntries(given.filter(([name]) => !broken.includes(name)).map(([name, { value }]) => [name, value])), broken };
}

type ParsedJson = { ok: true; value: unknown } | { ok: false; error: string };

export function parseJson(text: string): ParsedJson {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (err) {
    // Firefox prefixes the message with "JSON.parse: ".
    return { ok: false, error: err instanceof Error ? err.message.replace(/^JSON\.parse: /, '') : 'Not valid JSON' };
  }
}

export function formatJson(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

/** Returns whether the form can show a value without changing it. */
export function fitsForm({ kind, fields = [], items = {} }: Shape, value: unknown): boolean {
  if (kind === 'list') return Array.isArray(value) && value.length <= maxRows && value.every((item) => fitsForm(items, item));
  if (kind === 'object') {
    return isObject(value) && fields.every((field) => !Object.hasOwn(value, field.name) || fitsForm(field, value[field.name]));
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Returns the value of a variable that is switched on but empty. */
export function emptyValue({ kind }: Shape): unknown {
  return kind === 'list' ? [] : kind === 'object' ? {} : '';
}

/** Returns why the value of a variable does not have the declared type. The service refuses it for the same reason. */
export function findEntryProblem(variable: Variable, entry: Entry | undefined): string | undefined {
  if (!entry?.isGiven || (entry.json !== undefined && !parseJson(entry.json).ok)) return undefined;
  return findValueProblem(variable, entry.value);
}

/** Returns a value that the caller of a prompt could send: the declared example, or a value of the declared type. */
export function exampleOf(variable: Variable): unknown {
  const { type, example, default: used, values = [] } = variable;
  const declared = example ?? used ?? values[0];
  if (declared !== undefined) return declared;
  if (type === 'number') return 1;
  if (type === 'boolean') return true;
  if (type === 'image') return 'https://example.com/image.png';
  const { kind } = variable;
  if (type === 'list' || type === 'object') return kind === type ? exampleValue(variable) : emptyValue({ kind: type });
  return exampleValue(variable);
}

/** Returns an example value, which shows how to write such a value as JSON. */
export function exampleValue({ kind, fields = [], items = {} }: Shape): unknown {
  if (kind === 'list') return [exampleValue(items)];
  return kind === 'object' ? Object.fromEntries(fields.map((field) => [field.name, exampleValue(field)])) : '…';
}

/**
 * Converts the text of a form field to a value. A number or boolean that came from JSON keeps its type as long as the text reads like one.
 */
export function parseTyped(typed: string, before: unknown): unknown {
  if (typeof before === 'number' && typed === String(Number(typed))) return Number(typed);
  if (typeof before === 'boolean' && (typed === 'true' || typed === 'false')) return typed === 'true';
  return typed;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function countMissing(variables: Variable[], entries: Entries): number {
  return variables.filter(({ name, required }) => required && !findEntry(entries, name)?.isGiven).length;
}
