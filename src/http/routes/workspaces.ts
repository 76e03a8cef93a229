import { WorkspaceList } from '../../contract/workspaces.ts';
import { listWorkspaces } from '../../domain/workspaces/workspaces.ts';
import { actorOf } from '../middleware/authentication.ts';
import type { Routes } from './route.ts';

/** The workspaces of the caller's own account. */
export const workspaceListRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Workspaces' });

  route('GET', '/api/workspaces', {
    operationId: 'listWorkspaces',
    summary: 'List the workspaces that you can act in',
    description: 'Your own first, then those that you are a member of, by name.',
    response: { 200: WorkspaceList },
    handler: async (req) => ({ data: await listWorkspaces(ctx, actorOf(req)) }),
  });
};
