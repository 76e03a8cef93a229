import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import type { Routes } from './route.ts';

// Beside src/ and dist/ alike: the description is generated, committed and served as it is.
const openapiFile = new URL('../../../openapi.json', import.meta.url);

export const docsRoutes: Routes = (app) => {
  app.get(
    '/api/openapi.json',
    {
      schema: {
        operationId: 'openapi',
        tags: ['Description'],
        summary: 'This description, OpenAPI 3.1',
        response: { 200: Type.Unknown() },
      },
    },
    async (_req, reply) =>
      reply
        .type('application/json; charset=utf-8')
        .serializer(String)
        .send(await readFile(openapiFile, 'utf8')),
  );
};
