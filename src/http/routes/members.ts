import { NewToken } from '../../contract/keys.ts';
import {
  CreatedServiceAccount,
  Member,
  MemberChange,
  MemberList,
  MemberListQuery,
  MemberPath,
  NewServiceAccount,
} from '../../contract/members.ts';
import { changeMember, listMembers, removeMember } from '../../domain/workspaces/members.ts';
import { createServiceAccount, resetServiceAccountKey } from '../../domain/workspaces/service-accounts.ts';
import { actorOf, clientOf } from '../middleware/authentication.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

/** The people and programs that work in a workspace. */
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
      'It takes effect immediately, also where the member is signed in. Someone who no longer is an admin loses the invitations that ' +
      'they have sent. The role of the owner cannot be changed.',
    params: MemberPath,
    body: MemberChange,
    response: { 200: Member },
    handler: (req) => changeMember(ctx, actorOf(req), { ...req.params, ...req.body, client: clientOf(req) }),
  });

  route('DELETE', '/api/members/:userId', {
    operationId: 'removeMember',
    summary: 'Remove a member or delete a service account; leave the workspace',
    description:
      'It takes effect immediately. Open invitations that the member has sent end. Everyone may remove themselves; all others take ' +
      'the role `admin`. The owner cannot be removed.',
    params: MemberPath,
    response: noContent,
    errors: [400],
    handler: (req) => removeMember(ctx, actorOf(req), { ...req.params, client: clientOf(req) }),
  });

  route('POST', '/api/members/service-accounts', {
    operationId: 'createServiceAccount',
    summary: 'Create a service account: a key for a program, with a role of its own',
    description:
      'It belongs to this workspace, has no password and cannot sign in. The key is shown only in this response. Without ' +
      '`PromptHarbor-Workspace`, the key acts in this workspace.',
    body: NewServiceAccount,
    response: { 201: CreatedServiceAccount },
    handler: (req) => createServiceAccount(ctx, actorOf(req), { ...req.body, client: clientOf(req) }),
  });

  route('POST', '/api/members/:userId/reset-key', {
    operationId: 'resetServiceAccountKey',
    summary: 'Reset the key of a service account: the old one stops working immediately',
    params: MemberPath,
    response: { 200: NewToken },
    handler: async (req) => ({ token: await resetServiceAccountKey(ctx, actorOf(req), { ...req.params, client: clientOf(req) }) }),
  });
};
