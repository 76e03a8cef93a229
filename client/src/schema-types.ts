/** The number of types in one declaration. A schema with references could otherwise grow without end. */
const maxTypes = 2000;
const maxDepth = 20;

interface Scope {
  root: unknown;
  /** The references that are being resolved, so that a schema that refers to itself ends. */
  open: string[];
  left: { types: number };
}

/** Returns the TypeScript type of the values that fit a JSON schema. Unsupported schemas become `unknown`. */
export function schemaToType(schema: unknown, quote: (text: string) => string): string {
  return describe(schema, { root: schema, open: [], left: { types: maxTypes } }, 0);

  function describe(value: unknown, scope: Scope, depth: number): string {
    scope.left.types -= 1;
    if (!isObject(value) || depth > maxDepth || scope.left.types < 0) return 'unknown';
    const inner = (each: unknown) => describe(each, scope, depth + 1);
    if (typeof value.$ref === 'string') return resolve(value.$ref, scope, depth);
    if (Object.hasOwn(value, 'const')) return toLiteral(value.const);
    if (Array.isArray(value.enum)) return union(value.enum.map(toLiteral));
    for (const key of ['anyOf', 'oneOf']) {
      const options = value[key];
      if (Array.isArray(options)) return union(options.map(inner));
    }
    if (Array.isArray(value.allOf)) return value.allOf.map((each) => wrap(inner(each))).join(' & ') || 'unknown';
    if (Array.isArray(value.type)) return union(value.type.map((type) => inner({ ...value, type })));
    return describeType(value, inner);
  }

  function describeType(schema: Record<string, unknown>, inner: (schema: unknown) => string): string {
    switch (schema.type) {
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
        return schema.type;
      case 'integer':
        return 'number';
      case 'array':
        return `${wrap(inner(isObject(schema.items) ? schema.items : undefined))}[]`;
      case 'object':
        return describeObject(schema, inner);
      default:
        return isObject(schema.properties) ? describeObject(schema, inner) : 'unknown';
    }
  }

  function describeObject(schema: Record<string, unknown>, inner: (schema: unknown) => string): string {
    const { properties, required, additionalProperties } = schema;
    const entries = isObject(properties) ? Object.entries(properties) : [];
    if (entries.length === 0) return `Record<string, ${inner(additionalProperties)}>`;
    const names = Array.isArray(required) ? required : [];
    return `{ ${entries.map(([name, each]) => `${quote(name)}${names.includes(name) ? '' : '?'}: ${inner(each)}`).join('; ')} }`;
  }

  function resolve(reference: string, scope: Scope, depth: number): string {
    if (scope.open.includes(reference) || !/^#(?:\/|$)/.test(reference)) return 'unknown';
    let found: unknown = scope.root;
    for (const step of reference.split('/').slice(1)) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
    }
    return describe(found, { ...scope, open: [...scope.open, reference] }, depth + 1);
  }

  function toLiteral(value: unknown): string {
    if (typeof value === 'string') return quote(value);
    return typeof value === 'number' || typeof value === 'boolean' || value === null ? String(value) : 'unknown';
  }
}

/** Returns the TypeScript type of a JSON value, such as a config. */
export function valueToType(value: unknown, quote: (text: string) => string, depth = 0): string {
  if (depth > 5) return 'unknown';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `${wrap(union(value.map((item) => valueToType(item, quote, depth + 1))))}[]`;
  if (!isObject(value)) return ['string', 'number', 'boolean'].includes(typeof value) ? typeof value : 'unknown';
  const fields = Object.entries(value).map(([name, inner]) => `${quote(name)}: ${valueToType(inner, quote, depth + 1)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join('; ')} }`;
}

function union(types: string[]): string {
  const different = [...new Set(types)];
  return different.length === 0 || different.includes('unknown') ? 'unknown' : different.join(' | ');
}

function wrap(type: string): string {
  return type.includes(' | ') || type.includes(' & ') ? `(${type})` : type;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
