import { Type } from 'typebox';
import { PageQuery } from '../../contract/lists.ts';
import {
  ModelConnection,
  ModelConnectionChange,
  ModelConnectionList,
  ModelConnectionPath,
  ModelConnectionTest,
  NewModelConnection,
} from '../../contract/models.ts';
import { testConnection } from '../../domain/connections/connection-test.ts';
import { changeConnection, createConnection, deleteConnection, listConnections } from '../../domain/connections/connections.ts';
import { actorOf, clientOf } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

/** Connections to servers that run models. */
export const modelRoutes: Routes = (app, { ctx, authentication }) => {
  const common = { tags: ['Models'], security: [{ key: [] }] };

  app.get(
    '/api/models',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'listModels',
        summary: 'List the model connections',
        querystring: PageQuery,
        response: { 200: ModelConnectionList, ...errorResponses(400, '401 key', 403, 404, 503) },
      },
    },
    (req) => listConnections(ctx, actorOf(req), req.query),
  );

  app.post(
    '/api/models',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'createModel',
        summary: 'Connect a server that runs models',
        description: 'Any server that speaks OpenAI’s chat completions. The key is never shown again.',
        body: NewModelConnection,
        response: { 201: ModelConnection, ...errorResponses(400, '401 key', 403, 404, 409, 503) },
      },
    },
    async (req, reply) => reply.status(201).send(await createConnection(ctx, actorOf(req), { ...req.body, client: clientOf(req) })),
  );

  app.patch(
    '/api/models/:id',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'changeModel',
        summary: 'Change a model connection',
        params: ModelConnectionPath,
        body: ModelConnectionChange,
        response: { 200: ModelConnection, ...errorResponses(400, '401 key', 403, 404, 409, 503) },
      },
    },
    (req) => changeConnection(ctx, actorOf(req), { ...req.body, ...req.params, client: clientOf(req) }),
  );

  app.delete(
    '/api/models/:id',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'deleteModel',
        summary: 'Delete a model connection',
        params: ModelConnectionPath,
        response: { 204: Type.Null(), ...errorResponses('401 key', 403, 404, 503) },
      },
    },
    async (req, reply) => {
      await deleteConnection(ctx, actorOf(req), { ...req.params, client: clientOf(req) });
      return reply.status(204).send();
    },
  );

  app.post(
    '/api/models/:id/test',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'testModel',
        summary: 'Ask the server for its models, or say what is wrong',
        description: 'A server that does not list its models is asked for the smallest possible completion. Takes up to 30 seconds.',
        params: ModelConnectionPath,
        response: { 200: ModelConnectionTest, ...errorResponses('401 key', 403, 404, 429, 503) },
      },
    },
    (req) => testConnection(ctx, actorOf(req), req.params.id),
  );
};
