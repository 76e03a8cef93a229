import { schemaOfSchemas } from '../contract/schema-of-schemas.ts';
import { isPlainObject } from './json-values.ts';

/** The keywords that the schema of schemas uses. */
interface Rule {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Rule>;
  additionalProperties?: Rule;
  propertyNames?: Rule;
  items?: Rule;
  minItems?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  enum?: unknown[];
  anyOf?: Rule[];
  format?: string;
}

const root: Rule = schemaOfSchemas;

/** The number of pattern characters that may still be compiled. Compiling a pattern of 50 KB can take half a minute. */
export interface PatternBudget {
  characters: number;
}

/**
 * Finds the JSON pointer of the value that makes a JSON Schema invalid, or returns undefined for a valid one. The service applies the same
 * rules when it validates schemas. Patterns beyond the budget count as a problem.
 */
export function findSchemaProblem(value: unknown, budget: PatternBudget = { characters: Number.POSITIVE_INFINITY }): string | undefined {
  return find(root, value, { path: '', budget });
}

interface Place {
  path: string;
  budget: PatternBudget;
}

function find(rule: Rule, value: unknown, { path, budget }: Place): string | undefined {
  const at = (inner: string): Place => ({ path: inner, budget });
  if (rule.$ref !== undefined) return find(root, value, at(path));
  const { type, anyOf, properties = {}, additionalProperties, propertyNames, items, minItems = 0, format } = rule;
  if (anyOf) return anyOf.some((each) => find(each, value, at(path)) === undefined) ? undefined : path;
  if (type !== undefined && ![type].flat().some((each) => isOfType(each, value))) return path;
  if (rule.enum && !rule.enum.includes(value)) return path;
  if (typeof value === 'number') {
    const { minimum = Number.NEGATIVE_INFINITY, exclusiveMinimum = Number.NEGATIVE_INFINITY } = rule;
    return value >= minimum && value > exclusiveMinimum ? undefined : path;
  }
  if (typeof value === 'string') return format === 'regex' && !isPattern(value, budget) ? path : undefined;
  if (Array.isArray(value)) {
    if (value.length < minItems) return path;
    return items && findFirst(value.entries(), ([index, inner]) => find(items, inner, at(`${path}/${index}`)));
  }
  if (!isPlainObject(value)) return undefined;
  return findFirst(Object.entries(value), ([key, inner]) => {
    const innerPath = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (propertyNames && find(propertyNames, key, at('')) !== undefined) return innerPath;
    const inside = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    return inside && find(inside, inner, at(innerPath));
  });
}

function findFirst<T>(items: Iterable<T>, findIn: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = findIn(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'object') return isPlainObject(value);
  if (type === 'array') return Array.isArray(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function isPattern(text: string, budget: PatternBudget): boolean {
  budget.characters -= text.length;
  if (budget.characters < 0) return false;
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
