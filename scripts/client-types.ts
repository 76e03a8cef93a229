/**
 * Writes client/src/types.ts from openapi.json: the shapes and the operations of the API, so that the client needs no types from other
 * packages. With --check, fails if the committed file is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { WorkspaceEvent } from '../src/contract/events.ts';

interface Schema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
}

interface Parameter {
  $ref?: string;
  in?: string;
  name: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Operation {
  operationId: string;
  summary?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** openapi.json cannot express a recursive shape, or messages whose fields depend on their role. */
const givenTypes = `/** How a template uses a value. */
export interface Shape {
  kind?: 'text' | 'list' | 'object';
  /** The fields of an object. */
  fields?: Field[];
  /** The shape of each item of a list. */
  items?: Shape;
}

export interface Field extends Shape {
  name: string;
  /** Whether the value is used outside conditions. If an optional value is missing, nothing is shown in its place. */
  required: boolean;
}

/** A variable that a version declares or that its templates use. */
export interface Variable extends Field {
  /** The declared type. Absent if no type is declared. */
  type?: 'text' | 'number' | 'boolean' | 'enum' | 'list' | 'object' | 'image';
  description?: string;
  /** The value that is used if the caller sends none. */
  default?: unknown;
  example?: unknown;
  /** The values of an enum. */
  values?: string[];
  /** True if an included prompt declares this, and not the version itself. */
  inherited?: boolean;
}

export interface TextPart {
  type: 'text';
  text: string;
}

/** A part of a rendered message. */
export type ModelPart =
  | TextPart
  | { type: 'image_url'; image_url: { url: string; detail?: 'auto' | 'low' | 'high' } }
  | { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } }
  | { type: 'file'; file: { file_data?: string; file_id?: string; filename?: string } };

export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/**
 * A rendered message, in the form of OpenAI's chat completions. The messages of a placeholder are those that you sent. A mustache version
 * may have other roles, too.
 */
export type RenderedMessage =
  | { role: 'system' | 'developer'; content: string | TextPart[] }
  | { role: 'user'; content: string | ModelPart[] }
  | { role: 'assistant'; content?: string | TextPart[] | null; tool_calls?: ToolCall[] }
  | { role: 'tool'; content: string | TextPart[]; tool_call_id: string };
`;

/** The types above, which openapi.json cannot express. */
const ownTypes = ['Variable', 'RenderedMessage'];

/**
 * How many fields of a response the client checks. Older services also have the first fields, because later versions add fields only at the
 * end.
 */
const checkedFields = 3;

const file = new URL('../client/src/types.ts', import.meta.url);
// openapi.json is written by scripts/openapi.ts.
const document = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')) as OpenApi;
const text = describe(document);
if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write('client/src/types.ts is stale. Run: npm run openapi\n');
  process.exitCode = 1;
}

function describe({ paths, components }: OpenApi): string {
  // TypeBox schemas are JSON schemas, but have separate types.
  const schemas = { ...components.schemas, WorkspaceEvent: WorkspaceEvent as unknown as Schema };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return [
    '// Generated from openapi.json by scripts/client-types.ts. Run `npm run openapi` to write it anew.\n',
    givenTypes,
    ...Object.entries(schemas)
      .filter(([name]) => !ownTypes.includes(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, schema]) => `${comment(schema.description, '')}export type ${typeName(name)} = ${toType(schema, '')};\n`),
    ...operations.flatMap(({ operation }) => describeQuery(operation)),
    '/** The input and the response of each operation. */',
    `export interface Operations {\n${operations.map(({ operation }) => describeOperation(operation)).join('')}}\n`,
    '/** The method and path of each operation. */',
    'export const operations = {',
    ...operations.map(({ method, path, operation }) => `  ${operation.operationId}: ['${method}', '${path}'],`),
    '} as const satisfies Record<keyof Operations, readonly [string, string]>;\n',
    '/** Fields that the response of an operation always has, and that are never null. `items` are the fields of each item of its list `data`. */',
    'export interface ResponseFields {\n  fields: readonly string[];\n  items?: readonly string[];\n}\n',
    '/** Separate, because the dashboard does not load it. */',
    'export const responseFields: Partial<Record<keyof Operations, ResponseFields>> = {',
    ...operations.flatMap(({ operation }) => describeResponse(operation, schemas)),
    '};\n',
  ].join('\n');
}

function describeQuery(operation: Operation): string[] {
  const query = parametersOf(operation, 'query');
  if (query.length === 0) return [];
  const properties = Object.fromEntries(query.map(({ name, schema, description }) => [name, withDescription(schema, description)]));
  const required = query.filter((parameter) => parameter.required).map(({ name }) => name);
  return [`export interface ${queryName(operation)} ${toObject({ properties, required }, '')}\n`];
}

/** Adds the description of a parameter to its schema. A parameter whose only value is the text "true" has the type `true`. */
function withDescription(schema: Schema, description: string | undefined): Schema {
  return { ...schema, ...(description !== undefined && { description }), ...(schema.const === 'true' && { const: true }) };
}

function describeOperation(operation: Operation): string {
  const path = parametersOf(operation, 'path');
  const fields = [
    `path: ${path.length === 0 ? 'undefined' : `{ ${path.map(({ name, schema }) => `${name}: ${toType(schema, '')}`).join('; ')} }`}`,
    `query: ${parametersOf(operation, 'query').length === 0 ? 'undefined' : queryName(operation)}`,
    `body: ${operation.requestBody ? toType(schemaOf(operation.requestBody.content), '') : 'undefined'}`,
    `response: ${responseOf(operation)}`,
  ];
  return `${comment(operation.summary, '  ')}  ${operation.operationId}: { ${fields.join('; ')} };\n`;
}

function responseOf(operation: Operation): string {
  const schema = successOf(operation);
  return schema ? toType(schema, '') : 'undefined';
}

function successOf({ responses }: Operation): Schema | undefined {
  const success = Object.entries(responses).find(([status]) => Number(status) < 300)?.[1];
  return success?.content && schemaOf(success.content);
}

function describeResponse(operation: Operation, schemas: Record<string, Schema>): string[] {
  const schema = resolve(successOf(operation), schemas);
  const fields = listFields(schema, schemas);
  const items = listFields(resolve(schema?.properties?.data, schemas)?.items, schemas);
  if (fields.length === 0) return [];
  return [`  ${operation.operationId}: { fields: [${fields.join(', ')}]${items.length > 0 ? `, items: [${items.join(', ')}]` : ''} },`];
}

function listFields(schema: Schema | undefined, schemas: Record<string, Schema>): string[] {
  const first = fieldsOf(schema, schemas).slice(0, checkedFields);
  return first.filter((name) => !mayBeNull(schema, name, schemas)).map(literal);
}

function mayBeNull(unresolved: Schema | undefined, name: string, schemas: Record<string, Schema>): boolean {
  const schema = resolve(unresolved, schemas);
  if (schema?.anyOf) return schema.anyOf.some((option) => mayBeNull(option, name, schemas));
  const { type, anyOf = [] } = resolve(schema?.properties?.[name], schemas) ?? {};
  return [type].flat().includes('null') || anyOf.some((option) => option.type === 'null');
}

function resolve(schema: Schema | undefined, schemas: Record<string, Schema>): Schema | undefined {
  return schema?.$ref === undefined ? schema : resolve(schemas[schema.$ref.replace('#/components/schemas/', '')], schemas);
}

/** Returns the fields that a response always has. */
function fieldsOf(unresolved: Schema | undefined, schemas: Record<string, Schema>): string[] {
  const schema = resolve(unresolved, schemas);
  if (!schema?.anyOf) return schema?.required ?? [];
  const [first = [], ...others] = schema.anyOf.map((option) => fieldsOf(option, schemas));
  return first.filter((field) => others.every((fields) => fields.includes(field)));
}

function schemaOf(content: Record<string, { schema: Schema }>): Schema {
  return Object.values(content)[0]?.schema ?? {};
}

function parametersOf({ parameters = [] }: Operation, place: string): Parameter[] {
  return parameters.filter((parameter) => parameter.in === place);
}

function queryName({ operationId }: Operation): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`;
}

/** `Error` is a global name, and this type describes the body of an error response. */
function typeName(title: string): string {
  return title === 'Error' ? 'ErrorBody' : title;
}

function toType(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return typeName(schema.$ref.replace('#/components/schemas/', ''));
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map((option) => toType(option, indent)))].join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => toType({ ...schema, type }, indent)).join(' | ');
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return toArray(toType(schema.items ?? {}, indent));
    case 'object':
      return toObject(schema, indent);
    default:
      return 'unknown';
  }
}

function toArray(item: string): string {
  return /^[\w.]+$/.test(item) ? `${item}[]` : `Array<${item}>`;
}

function toObject({ properties = {}, required = [], patternProperties, additionalProperties }: Schema, indent: string): string {
  const names = Object.keys(properties);
  const value = Object.values(patternProperties ?? {})[0] ?? (typeof additionalProperties === 'object' ? additionalProperties : {});
  if (names.length === 0) return `Record<string, ${toType(value, indent)}>`;
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, property]) => {
    const key = /^\w+$/.test(name) ? name : literal(name);
    return `${comment(property.description, inner)}${inner}${key}${required.includes(name) ? '' : '?'}: ${toType(property, inner)};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : JSON.stringify(value);
}

function comment(description: string | undefined, indent: string): string {
  return description === undefined ? '' : `${indent}/** ${description.replaceAll('*/', '*\\/')} */\n`;
}
