// This file is separate from the schemas, so that the client and the dashboard can import it without TypeBox.

type MapText = (text: string, path: string) => string;

/** The keywords of a JSON Schema whose values are data, and not schemas. */
const dataKeywords = ['const', 'default', 'enum', 'example', 'examples'];
/** The keywords whose values are objects that contain a schema for each name. The author chooses the names. */
const namedSchemas = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

/**
 * In a tool or a schema, replaces the descriptions that contain tags. Recursion is safe, because the body of a request has a maximum depth.
 */
export function mapDescriptions<T>(value: T, path: string, map: MapText): T {
  // Every value keeps its type, because text is replaced only with other text.
  return mapValue(value, path, map) as T;
}

function mapValue(value: unknown, path: string, map: MapText): unknown {
  if (Array.isArray(value)) return value.map((item, index) => mapValue(item, `${path}/${index}`, map));
  if (typeof value !== 'object' || value === null) return value;
  return mapFields(value, path, (key, inner, innerPath) => {
    if (key === 'description' && typeof inner === 'string') return hasTag(inner) ? map(inner, innerPath) : inner;
    if (dataKeywords.includes(key)) return inner;
    // A property may itself be named `description` or `default`.
    if (namedSchemas.includes(key) && isObject(inner))
      return mapFields(inner, innerPath, (_name, schema, each) => mapValue(schema, each, map));
    return mapValue(inner, innerPath, map);
  });
}

function mapFields(value: object, path: string, map: (key: string, inner: unknown, path: string) => unknown): object {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, map(key, inner, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)]),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasTag(text: string): boolean {
  return text.includes('{{') || text.includes('{%');
}
