import { PageQuery } from '../../contract/lists.ts';
import {
  ModelConnection,
  ModelConnectionChange,
  ModelConnectionList,
  ModelConnectionTest,
  NewModelConnection,
} from '../../contract/models.ts';
import { testConnection } from '../../domain/connections/connection-test.ts';
import { changeConnection, createConnection, deleteConnection, listConnections } from '../../domain/connections/connections.ts';
import { actorOf, clientOf } from '../middleware/authentication.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

/** Connections to servers that run models. */
export const modelRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Models' });

  route('GET', '/api/models', {
    operationId: 'listModels',
    summary: 'List the model connections',
    querystring: PageQuery,
    response: { 200: ModelConnectionList },
    handler: (req) => listConnections(ctx, actorOf(req), req.query),
  });

  route('POST', '/api/models', {
    operationId: 'createModel',
    summary: 'Connect a server that runs models',
    description:
      'Works with any server that supports OpenAI’s chat completions, Anthropic’s Messages API or the Gemini API (`kind`). The key is never ' +
      'shown again.',
    body: NewModelConnection,
    response: { 201: ModelConnection },
    errors: [409],
    handler: (req) => createConnection(ctx, actorOf(req), { ...req.body, client: clientOf(req) }),
  });

  route('PATCH', '/api/models/:id', {
    operationId: 'changeModel',
    summary: 'Change a model connection',
    body: ModelConnectionChange,
    response: { 200: ModelConnection },
    errors: [409],
    handler: (req) => changeConnection(ctx, actorOf(req), { ...req.body, ...req.params, client: clientOf(req) }),
  });

  route('DELETE', '/api/models/:id', {
    operationId: 'deleteModel',
    summary: 'Delete a model connection',
    response: noContent,
    handler: (req) => deleteConnection(ctx, actorOf(req), { ...req.params, client: clientOf(req) }),
  });

  route('POST', '/api/models/:id/test', {
    operationId: 'testModel',
    summary: 'Test a model connection',
    description:
      'Asks the server for its models, or reports what is wrong. If the server does not list its models, the service requests the smallest possible completion. The test takes up to 30 seconds.',
    response: { 200: ModelConnectionTest },
    handler: (req) => testConnection(ctx, actorOf(req), req.params.id),
  });
};
