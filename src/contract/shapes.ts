import { type TProperties, type TSchema, Type } from 'typebox';

/** An object that the API reference lists by its title, with an example. */
export function objectOf<P extends TProperties>(title: string, example: object, properties: P) {
  return Type.Object(properties, { title, examples: [example] });
}

/** The same for the body of a request, in which other fields are refused. */
export function bodyOf<P extends TProperties>(title: string, example: object, properties: P) {
  return Type.Object(properties, { title, additionalProperties: false, examples: [example] });
}

/** The body of a request that changes some of these fields, at least one. */
export function changeOf<P extends TProperties>(title: string, example: object, properties: P) {
  return Type.Partial(Type.Object(properties), { title, additionalProperties: false, minProperties: 1, examples: [example] });
}

/** The query of a request. All parameters may be left out, and others are refused. */
export function queryOf<P extends TProperties>(properties: P) {
  return Type.Partial(Type.Object(properties), { additionalProperties: false });
}

/** An object without a title, in which other fields are refused. */
export function exactObject<P extends TProperties>(properties: P) {
  return Type.Object(properties, { additionalProperties: false });
}

export function orNull<T extends TSchema>(schema: T, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}
