import type { FastifySchemaCompiler } from 'fastify';
import { IsOptional, type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import type { FieldError } from '../../contract/errors.ts';
import { AppError } from '../../errors.ts';
import { maxErrors, maxPathLength, toFieldErrors, valueAt } from './validation-errors.ts';

// TypeBox stops at 8 errors by default, which can hide important ones. It reports an error for each alternative of a union, so it must find
// more errors than a response shows.
Settings.Set({ maxErrors: 5 * maxErrors });

/** Validates bodies unchanged. Integers in query strings and path parameters arrive as strings and are converted first. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const findProblem = createValidator(schema);
  // Fastify passes null for a body that was not sent.
  const readBody = (input: unknown) => (IsOptional(schema) ? (input ?? {}) : input);
  return (input: unknown) => {
    const value: unknown = httpPart === 'body' ? readBody(input) : parseIntegers(schema, input);
    const error = findProblem(value);
    return error ? { error } : { value };
  };
};

/** Compiles all schemas except the schema of the body, for routes that validate the body themselves. */
export const compileAllButBody: FastifySchemaCompiler<TSchema> = (route) =>
  route.httpPart === 'body' ? (value: unknown) => ({ value }) : compileValidator(route);

/** Returns a function that describes what is wrong with a value. */
export function createValidator(schema: TSchema): (value: unknown) => AppError | undefined {
  const compile = compileLazily(schema);
  return (value) => {
    const oversized = findOversized(schema, value, '');
    if (oversized) return new AppError('invalid_input', { details: oversized });
    const validator = compile();
    if (validator.Check(value)) return undefined;
    return new AppError('invalid_input', { details: toFieldErrors(schema, validator.Errors(value)) });
  };
}

/** Returns a function that only decides whether a value is valid. */
export function createCheck<T extends TSchema>(schema: T): (value: unknown) => value is Static<T> {
  const compile = compileLazily(schema);
  return (value): value is Static<T> => compile().Check(value);
}

/** Compiles a schema when it is first needed, because compiling all schemas would slow down the start. */
function compileLazily(schema: TSchema) {
  let compiled: ReturnType<typeof Compile> | undefined;
  return () => {
    compiled ??= Compile(schema);
    return compiled;
  };
}

/**
 * Finds the first list with more items, or the first object with more fields, than the schema allows. Run this before the validation,
 * because TypeBox visits and compares all items of a list, even if there are far too many.
 */
function findOversized(schema: TSchema, value: unknown, path: string): FieldError[] | undefined {
  if (Array.isArray(value)) return findOversizedList(schema, value, path);
  const properties = valueAt(schema, ['properties']);
  if (typeof value !== 'object' || value === null || typeof properties !== 'object' || properties === null) return undefined;
  if (valueAt(schema, ['additionalProperties']) === false) {
    const patterns = Object.keys(valueAt(schema, ['patternProperties']) ?? {}).map((pattern) => new RegExp(pattern));
    const isKnown = (name: string) => Object.hasOwn(properties, name) || patterns.some((pattern) => pattern.test(name));
    const unknown = Object.keys(value).filter((name) => !isKnown(name));
    const errors = unknown
      .slice(0, maxErrors)
      .map((name) => ({ path: `${path}/${name}`.slice(0, maxPathLength), message: 'Unknown field' }));
    if (unknown.length > maxErrors) return errors;
  }
  for (const [name, property] of Object.entries(properties)) {
    // The properties of a schema are schemas themselves.
    const found = findOversized(property as TSchema, Reflect.get(value, name), `${path}/${name}`);
    if (found) return found;
  }
  return undefined;
}

function findOversizedList(schema: TSchema, value: unknown[], path: string): FieldError[] | undefined {
  const branches = valueAt(schema, ['anyOf']);
  const list = Array.isArray(branches) ? branches.find((branch) => valueAt(branch, ['type']) === 'array') : schema;
  const maxItems = valueAt(list, ['maxItems']);
  if (typeof maxItems === 'number' && value.length > maxItems) return [{ path, message: `Use at most ${maxItems} items` }];
  const items = valueAt(list, ['items']);
  if (typeof items !== 'object' || items === null) return undefined;
  const itemSchemas = [valueAt(items, ['anyOf']) ?? items].flat() as TSchema[];
  for (const [index, item] of value.entries()) {
    const found = itemSchemas.map((itemSchema) => findOversized(itemSchema, item, `${path}/${index}`));
    if (found.every((errors) => errors !== undefined)) return found[0];
  }
  return undefined;
}

/**
 * Converts strings of plain digits to integers where the schema allows an integer. Other values, such as `1.5` or `true`, remain strings
 * and fail the validation.
 */
function parseIntegers(schema: TSchema, input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]): [string, unknown] => {
      const property = valueAt(schema, ['properties', name]);
      const isInteger = [property, valueAt(property, ['anyOf']) ?? []].flat().some((type) => valueAt(type, ['type']) === 'integer');
      return [name, isInteger && typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value];
    }),
  );
}
