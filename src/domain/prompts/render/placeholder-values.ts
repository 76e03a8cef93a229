import type { Shape, Variable } from '../../../contract/variables.ts';
import { type Content, placeholdersOf } from './rendered.ts';

type Values = Record<string, unknown>;

/**
 * Returns values that represent missing required variables in a preview: their names, or the names of their required fields. Fields that
 * are used only under a condition stay missing.
 */
export function placeholderValues(content: Content, missing: Variable[]): Values {
  const placeholders = new Set(placeholdersOf(content));
  return Object.fromEntries(
    missing.map((variable) => [
      variable.name,
      placeholders.has(variable.name) ? [{ role: 'user', content: mark(variable.name) }] : placeholderOf(variable, variable.name),
    ]),
  );
}

function placeholderOf({ kind, fields = [], items = {} }: Shape, path: string): unknown {
  if (kind === 'list') return [placeholderOf(items, `${path}[]`)];
  const required = kind === 'object' ? fields.filter((field) => field.required) : [];
  if (required.length === 0) return mark(path);
  return Object.fromEntries(required.map((field) => [field.name, placeholderOf(field, `${path}.${field.name}`)]));
}

function mark(path: string): string {
  return `‹${path}›`;
}
