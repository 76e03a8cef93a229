import { isObject } from '../preview/preview-values.ts';

// The form for JSON Schema shows what most tools and outputs need. Keywords that the form does not show stay in the schema.

export type Schema = Record<string, unknown>;

export type SchemaKind = 'string' | 'enum' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'other';

export const kindNames: Record<Exclude<SchemaKind, 'other'>, string> = {
  string: 'Text',
  enum: 'One of several values',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'True or false',
  array: 'List',
  object: 'Object with fields',
};

/** A property of an object, as a row of the form. */
export interface Property {
  name: string;
  schema: unknown;
  isRequired: boolean;
}

/** Returns the kind that the form shows, or `other` if the schema can only be edited as JSON. */
export function kindOf(schema: unknown): SchemaKind {
  if (!isObject(schema) || combinators.some((keyword) => Object.hasOwn(schema, keyword))) return 'other';
  const { type, enum: values } = schema;
  if (values !== undefined) return isTexts(values) && (type === undefined || type === 'string') ? 'enum' : 'other';
  if (type === 'object') return isRowsObject(schema) ? 'object' : 'other';
  if (type === 'array') return schema.items === undefined || kindOf(schema.items) !== 'other' ? 'array' : 'other';
  return type === 'string' || type === 'number' || type === 'integer' || type === 'boolean' ? type : 'other';
}

const combinators = ['$ref', 'anyOf', 'oneOf', 'allOf', 'not', 'const', 'if'];

/** Returns whether an object has properties that can be shown as rows. Each property may be of any kind. */
function isRowsObject({ properties, required }: Schema): boolean {
  return (properties === undefined || isObject(properties)) && (required === undefined || isTexts(required));
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** The keywords that the form shows. */
const shownKeywords = ['type', 'description', 'enum', 'properties', 'required', 'items', 'additionalProperties'];

/** Returns the keywords of a schema that the form does not show. */
export function hiddenKeywords(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const isShown = (keyword: string) =>
    shownKeywords.includes(keyword) && !(keyword === 'additionalProperties' && isObject(schema[keyword]));
  return Object.keys(schema).filter((keyword) => !isShown(keyword));
}

/** Returns the schema with another kind. The description and unknown keywords stay. */
export function withKind(schema: unknown, kind: Exclude<SchemaKind, 'other'>): Schema {
  const dropped = [...shownKeywords.filter((keyword) => keyword !== 'description'), ...combinators];
  const rest = isObject(schema) ? Object.fromEntries(Object.entries(schema).filter(([keyword]) => !dropped.includes(keyword))) : {};
  if (kind === 'enum') return { type: 'string', ...rest, enum: [] };
  if (kind === 'array') return { type: 'array', ...rest, items: { type: 'string' } };
  return kind === 'object' ? { ...rest, ...emptyObject() } : { type: kind, ...rest };
}

/** Returns whether the form shows its own text, next to the field, in place of this error of the service. */
export function isShownAtField(message: string): boolean {
  return message.endsWith('/enum must have at least one value');
}

export function emptyObject(): Schema {
  return { type: 'object', properties: {}, required: [], additionalProperties: false };
}

export function propertiesOf(schema: unknown): Property[] {
  if (!isObject(schema)) return [];
  const required = isTexts(schema.required) ? schema.required : [];
  const properties = isObject(schema.properties) ? schema.properties : {};
  return Object.entries(properties).map(([name, each]) => ({ name, schema: each, isRequired: required.includes(name) }));
}

/** Returns the object schema with other properties. Required names that are not properties stay required. */
export function withProperties(schema: Schema, properties: Property[]): Schema {
  const before = propertiesOf(schema).map(({ name }) => name);
  const others = isTexts(schema.required) ? schema.required.filter((name) => !before.includes(name)) : [];
  const required = [...properties.filter(({ isRequired }) => isRequired).map(({ name }) => name), ...others];
  const { required: old, ...rest } = schema;
  const changed = { ...rest, properties: Object.fromEntries(properties.map((each) => [each.name, each.schema])) };
  return required.length === 0 && old === undefined ? changed : { ...changed, required };
}

/** Returns a name that no other property has. */
export function newName(properties: Property[], start: string): string {
  const names = new Set(properties.map(({ name }) => name));
  let name = start;
  for (let number = 2; names.has(name); number += 1) name = `${start}_${number}`;
  return name;
}

/**
 * Returns the schema as model APIs demand it in strict mode: each object requires all of its properties and allows no others. Schemas that
 * the form cannot show stay as they are.
 */
export function toStrict(schema: unknown): unknown {
  const kind = kindOf(schema);
  if (!isObject(schema)) return schema;
  if (kind === 'array') return schema.items === undefined ? schema : { ...schema, items: toStrict(schema.items) };
  if (kind !== 'object') return schema;
  const properties = propertiesOf(schema).map((each) => ({ ...each, schema: toStrict(each.schema), isRequired: true }));
  return { ...withProperties(schema, properties), additionalProperties: false };
}
