/** The part of OpenAPI 3.1 that openapi.json uses. */
export interface OpenApiDocument {
  info: { title: string; version: string; description?: string };
  paths: Record<string, Record<string, OpenApiOperation>>;
  components?: {
    schemas?: Record<string, Schema>;
    parameters?: Record<string, Parameter>;
    securitySchemes?: Record<string, { description?: string }>;
  };
}

export interface OpenApiOperation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content?: Record<string, MediaType> };
  responses?: Record<string, OpenApiResponse>;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

export interface OpenApiResponse {
  description?: string;
  content?: Record<string, MediaType>;
}

interface MediaType {
  schema?: Schema;
  example?: unknown;
}

export interface Schema {
  $ref?: string;
  title?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

/** An operation with its method and path. */
export interface Operation extends Omit<OpenApiOperation, 'parameters'> {
  /** The id of the operation on the page, for links. */
  anchor: string;
  method: string;
  path: string;
  parameters: Parameter[];
}

/** Returns all operations in document order, grouped by their first tag. */
export function operationsByTag({ paths, components }: OpenApiDocument): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? 'Other';
      const anchor = slug(operation.operationId ?? `${method} ${path}`);
      const parameters = (operation.parameters ?? []).flatMap((parameter) =>
        '$ref' in parameter ? (components?.parameters?.[refName(parameter) ?? ''] ?? []) : parameter,
      );
      groups.set(tag, [...(groups.get(tag) ?? []), { ...operation, anchor, method: method.toUpperCase(), path, parameters }]);
    }
  }
  return groups;
}

/** Returns whether the operation accepts a credential: the API key or a browser session. */
export function takes({ security = [] }: Pick<OpenApiOperation, 'security'>, scheme: 'key' | 'session'): boolean {
  return security.some((entry) => scheme in entry);
}

/** Follows a reference into the document's components. */
export function resolve(document: OpenApiDocument, schema: Schema): Schema {
  const name = refName(schema);
  return name === undefined ? schema : (document.components?.schemas?.[name] ?? {});
}

export function refName({ $ref }: Schema): string | undefined {
  return $ref?.slice($ref.lastIndexOf('/') + 1);
}

/** Returns the alternatives of a union, or an empty list for any other schema. */
export function variantsOf(schema: Schema): Schema[] {
  return schema.anyOf ?? schema.oneOf ?? [];
}

export function jsonSchemaOf(holder: { content?: Record<string, MediaType> } | undefined): Schema | undefined {
  return holder?.content?.['application/json']?.schema;
}

export function slug(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');
}
