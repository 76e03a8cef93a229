import { WorkspaceChange, WorkspaceSettings } from '../../contract/workspace-settings.ts';
import { getWorkspace, updateWorkspace } from '../../domain/workspaces/workspace-settings.ts';
import { actorOf, clientOf } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

/** The settings of a workspace. */
export const workspaceSettingsRoutes: Routes = (app, { ctx, authentication }) => {
  const common = { tags: ['Workspaces and people'], security: [{ key: [] }] };

  app.get(
    '/api/workspace',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'getWorkspace',
        summary: 'Get the settings of the workspace',
        response: { 200: WorkspaceSettings, ...errorResponses('401 key', 403, 404, 503) },
      },
    },
    (req) => getWorkspace(ctx, actorOf(req)),
  );

  app.patch(
    '/api/workspace',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'updateWorkspace',
        summary: 'Change the settings of the workspace',
        body: WorkspaceChange,
        response: { 200: WorkspaceSettings, ...errorResponses(400, '401 key', 403, 404, 503) },
      },
    },
    (req) => updateWorkspace(ctx, actorOf(req), { ...req.body, client: clientOf(req) }),
  );
};
