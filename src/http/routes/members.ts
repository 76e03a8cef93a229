import { NewToken } from '../../contract/keys.ts';
import { CreatedServiceAccount, Member, MemberChange, MemberList, MemberListQuery, NewServiceAccount } from '../../contract/members.ts';
import { changeMember, listMembers, removeMember } from '../../domain/workspaces/members.ts';
import { createServiceAccount, resetServiceAccountKey } from '../../domain/workspaces/service-accounts.ts';
import { actorOf, clientOf } from '../middleware/authentication.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

/** The people and service accounts that are members of a workspace. */
export const memberRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Workspaces and people' });

  route('GET', '/api/members', {
    operationId: 'listMembers',
    summary: 'List the members, service accounts and open invitations',
    querystring: MemberListQuery,
    response: { 200: MemberList },
    handler: (req) => listMembers(ctx, actorOf(req), req.query),
  });

  route('PATCH', '/api/members/:userId', {
    operationId: 'changeMember',
    summary: 'Change the role of a member or service account',
    description:
      'The change takes effect immediately, including in open sessions of the member. If the member is no longer an admin, their open ' +
      'invitations are withdrawn. The role of the owner cannot be changed.',
    body: MemberChange,
    response: { 200: Member },
    handler: (req) => changeMember(ctx, actorOf(req), { ...req.params, ...req.body, client: clientOf(req) }),
  });

  route('DELETE', '/api/members/:userId', {
    operationId: 'removeMember',
    summary: 'Remove a member, delete a service account or leave the workspace',
    description:
      'The change takes effect immediately. Open invitations that the member sent are withdrawn. Everyone can remove themselves. ' +
      'Removing other members requires the role `admin`. The owner cannot be removed.',
    response: noContent,
    errors: [400],
    handler: (req) => removeMember(ctx, actorOf(req), { ...req.params, client: clientOf(req) }),
  });

  route('POST', '/api/members/service-accounts', {
    operationId: 'createServiceAccount',
    summary: 'Create a service account',
    description:
      'A service account gives a program a key with its own role. It belongs to this workspace, has no password and cannot sign in. The key is ' +
      'shown only in this response. Without `PromptHarbor-Workspace`, the key acts in this workspace.',
    body: NewServiceAccount,
    response: { 201: CreatedServiceAccount },
    handler: (req) => createServiceAccount(ctx, actorOf(req), { ...req.body, client: clientOf(req) }),
  });

  route('POST', '/api/members/:userId/reset-key', {
    operationId: 'resetServiceAccountKey',
    summary: 'Reset the key of a service account',
    description: 'The old key stops working immediately.',
    response: { 200: NewToken },
    handler: async (req) => ({ token: await resetServiceAccountKey(ctx, actorOf(req), { ...req.params, client: clientOf(req) }) }),
  });
};
