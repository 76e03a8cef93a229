import { WorkspaceChange, WorkspaceSettings } from '../../contract/workspace-settings.ts';
import { getWorkspace, updateWorkspace } from '../../domain/workspaces/workspace-settings.ts';
import { actorOf, clientOf } from '../middleware/authentication.ts';
import type { Routes } from './route.ts';

/** The settings of a workspace. */
export const workspaceSettingsRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Workspaces and people' });

  route('GET', '/api/workspace', {
    operationId: 'getWorkspace',
    summary: 'Get the workspace settings',
    response: { 200: WorkspaceSettings },
    handler: (req) => getWorkspace(ctx, actorOf(req)),
  });

  route('PATCH', '/api/workspace', {
    operationId: 'updateWorkspace',
    summary: 'Change the workspace settings',
    body: WorkspaceChange,
    response: { 200: WorkspaceSettings },
    handler: (req) => updateWorkspace(ctx, actorOf(req), { ...req.body, client: clientOf(req) }),
  });
};
