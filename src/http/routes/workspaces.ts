import { WorkspaceList } from '../../contract/workspaces.ts';
import { listWorkspaces } from '../../domain/workspaces/workspaces.ts';
import { actorOf } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

/** The workspaces of the caller's own account. */
export const workspaceListRoutes: Routes = (app, { ctx, authentication }) => {
  app.get(
    '/api/workspaces',
    {
      onRequest: authentication,
      schema: {
        operationId: 'listWorkspaces',
        tags: ['Workspaces'],
        summary: 'List the workspaces that you can act in',
        description: 'Your own first, then those that you are a member of, by name.',
        security: [{ key: [] }],
        response: { 200: WorkspaceList, ...errorResponses('401 key', 503) },
      },
    },
    async (req) => ({ data: await listWorkspaces(ctx, actorOf(req)) }),
  );
};
