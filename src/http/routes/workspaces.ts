import {
  NewWorkspace,
  Workspace,
  WorkspaceDeletion,
  WorkspaceList,
  WorkspaceRename,
  WorkspaceTransfer,
} from '../../contract/workspaces.ts';
import { createTeam, deleteTeam, transferTeam } from '../../domain/workspaces/teams.ts';
import { listWorkspaces, renameWorkspace } from '../../domain/workspaces/workspaces.ts';
import { actorOf, clientOf } from '../middleware/authentication.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

const confirmed = 'Requires a browser session, the password and, with two-factor authentication enabled, a code.';

/** The workspaces in which the caller's account can act. */
export const workspaceListRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Workspaces' });

  route('GET', '/api/workspaces', {
    operationId: 'listWorkspaces',
    summary: 'List the workspaces that you can act in',
    description: 'Your own workspace comes first, followed by the workspaces of which you are a member, sorted by name.',
    response: { 200: WorkspaceList },
    handler: async (req) => ({ data: await listWorkspaces(ctx, actorOf(req)) }),
  });

  route('POST', '/api/workspaces', {
    operationId: 'createWorkspace',
    summary: 'Create a team workspace',
    description:
      'You own the workspace until you transfer it to another member. It does not depend on your account, so the other members can ' +
      'continue to use it after you leave. If the service sends email, your address must be verified.',
    body: NewWorkspace,
    response: { 201: Workspace },
    errors: [403],
    handler: (req) => createTeam(ctx, actorOf(req), { ...req.body, client: clientOf(req) }),
  });

  route('PATCH', '/api/workspaces/:id', {
    operationId: 'renameWorkspace',
    summary: 'Rename a workspace',
    description:
      'Only the owner can rename a workspace. Your own workspace has the name of your account, so renaming one renames the other.',
    body: WorkspaceRename,
    response: { 200: Workspace },
    errors: [403, 404],
    handler: (req) => renameWorkspace(ctx, actorOf(req), { ...req.params, ...req.body, client: clientOf(req) }),
  });

  route('POST', '/api/workspaces/:id/transfer', {
    operationId: 'transferWorkspace',
    summary: 'Make another member the owner of a team workspace',
    description: `You stay in the workspace as an admin. ${confirmed}`,
    access: 'session',
    body: WorkspaceTransfer,
    response: noContent,
    errors: [401, 403, 404, 409],
    handler: (req) => transferTeam(ctx, actorOf(req), { ...req.params, ...req.body, client: clientOf(req) }),
  });

  route('DELETE', '/api/workspaces/:id', {
    operationId: 'deleteWorkspace',
    summary: 'Delete a team workspace and everything in it',
    description:
      'Its prompts, statistics, webhooks, model connections and invitations are deleted. Its members lose access, and the keys of its ' +
      `service accounts stop working immediately. This cannot be undone. ${confirmed}`,
    access: 'session',
    body: WorkspaceDeletion,
    response: noContent,
    errors: [401, 403, 404, 409],
    handler: (req) => deleteTeam(ctx, actorOf(req), { ...req.params, ...req.body, client: clientOf(req) }),
  });
};
