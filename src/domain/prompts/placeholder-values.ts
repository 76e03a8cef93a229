import type { Shape, Variable } from '../../contract/versions.ts';
import { type Content, placeholdersOf } from './content.ts';

type Values = Record<string, unknown>;

/** The values that a preview shows in place of missing required variables: their names, also of the fields that are used. */
export function placeholderValues(content: Content, declared: Variable[], given: Values): Values {
  const placeholders = new Set(placeholdersOf(content));
  const missing = declared.filter(({ name, required }) => required && !Object.hasOwn(given, name));
  return Object.fromEntries(
    missing.map((variable) => [
      variable.name,
      placeholders.has(variable.name) ? [{ role: 'user', content: mark(variable.name) }] : placeholderOf(variable, variable.name),
    ]),
  );
}

function placeholderOf({ kind, fields = [], items = {} }: Shape, path: string): unknown {
  if (kind === 'list') return [placeholderOf(items, `${path}[]`)];
  if (kind === 'object') return Object.fromEntries(fields.map((field) => [field.name, placeholderOf(field, `${path}.${field.name}`)]));
  return mark(path);
}

function mark(path: string): string {
  return `‹${path}›`;
}
