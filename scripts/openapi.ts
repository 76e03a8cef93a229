/** Writes openapi.json from the route schemas. With --check, fails if the committed file is stale. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RouteOptions } from 'fastify';
import { pino } from 'pino';
import { IsOptional } from 'typebox';
import { loadConfig } from '../src/config.ts';
import { workspaceIdPattern } from '../src/contract/limits.ts';
import { findPermission, ownAccount, workspaceHeader } from '../src/contract/permissions.ts';
import { buildApp } from '../src/http/app.ts';
import { sessionCookieName } from '../src/http/middleware/cookies.ts';
import { closeContext, openContext } from '../src/service.ts';
import { version } from '../src/version.ts';

type Json = Record<string, unknown>;

/** The part of a route's `schema` that is documented. */
interface RouteSchema {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Json[];
  params?: ObjectSchema;
  querystring?: ObjectSchema;
  body?: Json;
  response?: Record<string, Json>;
}

interface ObjectSchema {
  properties: Record<string, Json>;
  required?: string[];
}

const file = new URL('../openapi.json', import.meta.url);
const text = `${JSON.stringify(describeService(await collectRoutes()), null, 2)}\n`;
if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write('openapi.json is stale. Run: npm run openapi\n');
  process.exitCode = 1;
}

async function collectRoutes(): Promise<RouteOptions[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'promptharbor-openapi-'));
  const config = loadConfig({ DATA_DIR: dataDir });
  const logger = pino({ level: 'silent' });
  const ctx = await openContext(config, logger);
  const routes: RouteOptions[] = [];
  const app = await buildApp({ config, ctx, logger, onRoute: (route) => routes.push(route) });
  await app.close();
  await closeContext(ctx);
  rmSync(dataDir, { recursive: true });
  return routes;
}

function describeService(routes: RouteOptions[]): Json {
  const schemas: Record<string, Json> = {};
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    // Fastify's hook does not know the type of the schema. All our routes use RouteSchema.
    const schema = (route.schema ?? {}) as RouteSchema;
    if (!schema.operationId || route.method === 'HEAD') continue;
    // A parameter at the end may contain slashes.
    const path = route.url.replaceAll(/:(\w+)/g, '{$1}').replace(/\*$/, '{key}');
    paths[path] = { ...paths[path], [String(route.method).toLowerCase()]: describeOperation(schema, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'PromptHarbor',
      version,
      description:
        'Keep prompts out of your code. Authenticate requests with the account’s API key: `Authorization: Bearer <key>`. ' +
        'Error responses have the form `{"error", "code", "details"}`. Every response has an `x-request-id` header.',
    },
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'The account’s API key: `ph_` followed by 64 hexadecimal characters.' },
        basic: {
          type: 'http',
          scheme: 'basic',
          description:
            'Only for the endpoints of Langfuse and OpenTelemetry. The password is the API key. The user name can be any string.',
        },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'Only for the endpoints of OpenFeature, instead of `Authorization`. The API key.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookieName,
          description:
            'The cookie of a browser session, which is set when you sign in. Over HTTPS, its name starts with `__Host-`. Every endpoint ' +
            'except `/mcp` accepts the cookie instead of the key. Requests that change something must then have the `Origin` header of ' +
            'the service, which browsers send.',
        },
      },
      parameters: {
        Workspace: {
          name: workspaceHeader,
          in: 'header',
          required: false,
          description:
            'The id of the workspace to act in (see `GET /api/workspaces`). Default: your own workspace or, for a service account, the workspace ' +
            'that it belongs to.',
          schema: { type: 'string', pattern: workspaceIdPattern },
        },
      },
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => a.localeCompare(b))),
    },
  };
}

function describeOperation(schema: RouteSchema, schemas: Record<string, Json>): Json {
  const { operationId, summary, tags, security } = schema;
  const permission = findPermission(operationId);
  const role = permission === ownAccount ? undefined : permission;
  const description = [schema.description, role && `Requires the role \`${role}\`.`].filter((text) => text).join('\n\n');
  const hasCsv = schema.querystring?.properties.format !== undefined;
  const responses = Object.entries(schema.response ?? {}).map(([status, shape]) => [
    status,
    describeResponse(status, shape, { schemas, hasCsv: hasCsv && status === '200' }),
  ]);
  const parameters = [
    ...describeParameters('path', schema.params),
    ...describeParameters('query', schema.querystring),
    ...(role ? [{ $ref: '#/components/parameters/Workspace' }] : []),
  ];
  return {
    operationId,
    summary,
    ...(description && { description }),
    tags,
    security: security ?? [],
    ...(parameters.length > 0 && { parameters }),
    ...(schema.body && {
      requestBody: {
        required: !IsOptional(schema.body),
        content: describeContent(schema.body, schemas),
      },
    }),
    responses: Object.fromEntries(responses),
  };
}

function describeResponse(status: string, shape: Json, { schemas, hasCsv }: { schemas: Record<string, Json>; hasCsv: boolean }): Json {
  const description = STATUS_CODES[status] ?? status;
  if (shape.type === 'null') return { description };
  const csv = hasCsv && { 'text/csv': { schema: { type: 'string' } } };
  return { description, content: { ...describeContent(shape, schemas), ...csv } };
}

/** Describes a body by media type. A body that is also sent in a binary format is described in JSON only. */
function describeContent({ 'x-media-types': mediaTypes, ...shape }: Json, schemas: Record<string, Json>): Json {
  const { contentMediaType } = shape;
  const [first = typeof contentMediaType === 'string' ? contentMediaType : 'application/json', ...others] = [mediaTypes ?? []]
    .flat()
    .map(String);
  return { [first]: { schema: hoist(shape, schemas) }, ...Object.fromEntries(others.map((other) => [other, {}])) };
}

function describeParameters(place: 'path' | 'query', shape: ObjectSchema | undefined): Json[] {
  return Object.entries(shape?.properties ?? {}).map(([name, { description, ...schema }]) => ({
    name: name === '*' ? 'key' : name,
    in: place,
    required: place === 'path' || (shape?.required?.includes(name) ?? false),
    ...(description !== undefined && { description }),
    schema,
  }));
}

/** Moves schemas that have a title to `components`, so that each schema is written once and referenced by name. */
function hoist(value: unknown, schemas: Record<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((item) => hoist(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const { title, examples, ...rest } = value as Json;
  const inner = Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, hoist(item, schemas)]));
  const shape = { ...inner, ...(examples !== undefined && { examples }) };
  if (typeof title !== 'string') return { ...(title !== undefined && { title: hoist(title, schemas) }), ...shape };
  schemas[title] = { title, ...shape };
  return { $ref: `#/components/schemas/${title}` };
}
