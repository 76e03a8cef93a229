import type { Variable } from './variables.ts';

// This file is separate from the schemas, so that the client and the dashboard can import it without TypeBox.

type Declared = Pick<Variable, 'type' | 'values'>;

/** Says what a value must be, or returns undefined if it has the declared type. */
export function findValueProblem({ type, values = [] }: Declared, value: unknown): string | undefined {
  switch (type) {
    case undefined:
      return undefined;
    case 'text':
      return isText(value) ? undefined : 'Must be text';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? undefined : 'Must be a number';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'Must be true or false';
    case 'enum':
      return typeof value === 'string' && values.includes(value) ? undefined : `Must be one of: ${values.join(', ')}`;
    case 'list':
      return Array.isArray(value) ? undefined : 'Must be a list';
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'Must be an object';
    case 'image':
      return typeof value === 'string' && /^(https?:\/\/|data:image\/)/i.test(value)
        ? undefined
        : 'Must be an image: a URL that starts with https:// or http://, or a data URL that starts with data:image/';
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
