import { type TProperties, type TSchema, Type } from 'typebox';

/** Returns an object schema. The API reference lists it by its title, with the example. */
export function objectOf<P extends TProperties>(title: string, example: object, properties: P) {
  return Type.Object(properties, { title, examples: [example] });
}

/** Returns the schema of a request body, in which unknown fields are refused. */
export function bodyOf<P extends TProperties>(title: string, example: object, properties: P) {
  return Type.Object(properties, { title, additionalProperties: false, examples: [example] });
}

/** Returns the schema of a request body that changes at least one of these fields. */
export function changeOf<P extends TProperties>(title: string, example: object, properties: P) {
  return Type.Partial(Type.Object(properties), { title, additionalProperties: false, minProperties: 1, examples: [example] });
}

/**
 * Returns the schema of a query. All parameters are optional, and unknown ones are refused. `patterns` are parameters whose names match a
 * regular expression.
 */
export function queryOf<P extends TProperties>(properties: P, patterns?: Record<string, TSchema>) {
  return Type.Partial(Type.Object(properties), { additionalProperties: false, ...(patterns && { patternProperties: patterns }) });
}

/** Returns an object schema without a title, in which unknown fields are refused. */
export function exactObject<P extends TProperties>(properties: P) {
  return Type.Object(properties, { additionalProperties: false });
}

export function orNull<T extends TSchema>(schema: T, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}
