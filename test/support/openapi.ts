import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { ApiResponse } from './client.ts';

type Json = Record<string, unknown>;

/** An operation of openapi.json. */
export interface Operation {
  method: string;
  path: string;
  responses: Record<string, { content?: Record<string, { schema: Json }> }>;
}

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'> & { operationId: string }>>;
  components: { schemas: Record<string, Json> };
};
/** All operations by id, except those that respond with a stream instead of JSON. */
export const operations = new Map(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, responses }]): [string, Operation][] =>
      responses[200]?.content && !responses[200].content['application/json']
        ? []
        : [[operationId, { method: method.toUpperCase(), path, responses }]],
    ),
  ),
);

/** Asserts that a response has a documented success status and a body that matches its schema, without additional fields. */
export function assertMatches({ method, path, responses }: Operation, { status, body, text }: ApiResponse): void {
  assert.ok(status >= 200 && status < 300, `${method} ${path}: ${status} ${text}`);
  const response = responses[status];
  assert.ok(response, `${method} ${path}: ${status} is not in openapi.json`);
  const schema = response.content?.['application/json']?.schema;
  if (!schema) {
    assert.equal(text, '');
    return;
  }
  // The cast is safe, because a TypeBox schema is plain JSON Schema.
  const validator = Compile(toStrict(schema) as TSchema);
  assert.ok(validator.Check(body), `${method} ${path}: ${JSON.stringify([...validator.Errors(body)])}\n${text.slice(0, 2000)}`);
}

/** Resolves the references of a schema and forbids additional fields. */
function toStrict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toStrict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref: reference, ...rest } = schema as Json;
  if (typeof reference === 'string') return toStrict(document.components.schemas[reference.split('/').at(-1) ?? '']);
  const strict = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, toStrict(value)]));
  const isFree = 'additionalProperties' in rest || 'patternProperties' in rest;
  return rest.type === 'object' && !isFree ? { ...strict, additionalProperties: false } : strict;
}
