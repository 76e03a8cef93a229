/** The parts of openapi.json from which the Python client is generated. */
export interface Schema {
  $ref?: string;
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

export interface Parameter {
  in?: string;
  name: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

type Content = Record<string, { schema?: Schema }>;

export interface Operation {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

export interface NamedOperation {
  id: string;
  method: string;
  path: string;
  operation: Operation;
}

export function listOperations({ paths }: OpenApi): NamedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ id: operation.operationId, method: method.toUpperCase(), path, operation })),
  );
}

export function nameOfReference(reference: string): string {
  return reference.replace('#/components/schemas/', '');
}

/** Returns the schema to which a reference leads. */
export function resolveSchema(schema: Schema | undefined, schemas: Record<string, Schema>): Schema | undefined {
  return schema?.$ref === undefined ? schema : resolveSchema(schemas[nameOfReference(schema.$ref)], schemas);
}

/** Returns the content of the first successful response. */
export function successOf({ responses }: Operation): Content {
  return Object.entries(responses).find(([status]) => Number(status) < 300)?.[1].content ?? {};
}

export function firstSchema(content: Content): Schema | undefined {
  return Object.values(content)[0]?.schema;
}

/** Returns the fields that every response of an operation has. */
export function requiredFields(schema: Schema | undefined, schemas: Record<string, Schema>): string[] {
  const resolved = resolveSchema(schema, schemas);
  if (!resolved?.anyOf) return resolved?.required ?? [];
  const [first = [], ...others] = resolved.anyOf.map((option) => requiredFields(option, schemas));
  return first.filter((field) => others.every((fields) => fields.includes(field)));
}
