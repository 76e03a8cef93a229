import { isPlainObject } from './json-values.ts';

type Schema = Record<string, unknown>;

/** A property in a Prompty file. Lists of properties describe inputs, outputs and the parameters of tools. */
export interface Property extends Record<string, unknown> {
  name: string;
  kind: string;
}

/** Reads a list of properties, an object with the key `properties`, or a map from names to properties or plain default values. */
export function listProperties(value: unknown): Property[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => (isPlainObject(item) ? toProperty(item.name, item) : []));
  if (!isPlainObject(value)) return [];
  if (Array.isArray(value.properties) || isPlainObject(value.properties)) return listProperties(value.properties);
  return Object.entries(value).flatMap(([name, item]) => toProperty(name, isPlainObject(item) ? item : { default: item }));
}

function toProperty(name: unknown, item: Record<string, unknown>): Property[] {
  if (typeof name !== 'string' || name === '') return [];
  const kind = typeof item.kind === 'string' ? item.kind : typeof item.type === 'string' ? item.type : kindOf(item.default ?? item.sample);
  return [{ ...item, name, kind }];
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null || value === undefined ? 'string' : typeof value;
}

/** Returns the JSON schema of an object with these properties. */
export function toObjectSchema(properties: Property[]): Schema {
  const required = properties.filter((property) => property.required === true).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(properties.map((property) => [property.name, toSchema(property)])),
    ...(required.length > 0 && { required }),
  };
}

export function toSchema({ kind, description, enumValues, items, properties }: Property): Schema {
  const values = Array.isArray(enumValues) && enumValues.length > 0 ? { enum: enumValues } : {};
  const own = { ...(typeof description === 'string' && { description }), ...values };
  if (kind === 'array') {
    const [item] = isPlainObject(items) ? toProperty('items', items) : [];
    return { type: 'array', ...own, ...(item && { items: toSchema(item) }) };
  }
  if (kind === 'object') return { ...toObjectSchema(listProperties(properties ?? [])), ...own };
  const type = jsonTypes[kind];
  return { ...(type !== undefined && { type }), ...own };
}

const jsonTypes: Record<string, string> = {
  string: 'string',
  integer: 'integer',
  int: 'integer',
  float: 'number',
  number: 'number',
  boolean: 'boolean',
  bool: 'boolean',
  text: 'string',
};
