import { Type } from 'typebox';
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
import { actorOf, clientOf } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

/** The people and programs that work in a workspace. */
export const memberRoutes: Routes = (app, { ctx, authentication }) => {
  const common = { tags: ['Workspaces and people'], security: [{ key: [] }] };

  app.get(
    '/api/members',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'listMembers',
        summary: 'List the members, service accounts and open invitations',
        querystring: MemberListQuery,
        response: { 200: MemberList, ...errorResponses(400, '401 key', 403, 404, 503) },
      },
    },
    (req) => listMembers(ctx, actorOf(req), req.query),
  );

  app.patch(
    '/api/members/:userId',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'changeMember',
        summary: 'Change the role of a member or service account',
        description:
          'It takes effect immediately, also where the member is signed in. Someone who no longer is an admin loses the invitations that ' +
          'they have sent. The role of the owner cannot be changed.',
        params: MemberPath,
        body: MemberChange,
        response: { 200: Member, ...errorResponses(400, '401 key', 403, 404, 503) },
      },
    },
    (req) => changeMember(ctx, actorOf(req), { ...req.params, ...req.body, client: clientOf(req) }),
  );

  app.delete(
    '/api/members/:userId',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'removeMember',
        summary: 'Remove a member or delete a service account; leave the workspace',
        description:
          'It takes effect immediately. Open invitations that the member has sent end. Everyone may remove themselves; all others take ' +
          'the role `admin`. The owner cannot be removed.',
        params: MemberPath,
        response: { 204: Type.Null(), ...errorResponses(400, '401 key', 403, 404, 503) },
      },
    },
    async (req, reply) => {
      await removeMember(ctx, actorOf(req), { ...req.params, client: clientOf(req) });
      return reply.status(204).send();
    },
  );

  app.post(
    '/api/members/service-accounts',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'createServiceAccount',
        summary: 'Create a service account: a key for a program, with a role of its own',
        description:
          'It belongs to this workspace, has no password and cannot sign in. The key is shown only in this response. Without ' +
          '`PromptHarbor-Workspace`, the key acts in this workspace.',
        body: NewServiceAccount,
        response: { 201: CreatedServiceAccount, ...errorResponses(400, '401 key', 403, 404, 503) },
      },
    },
    async (req, reply) => {
      const created = await createServiceAccount(ctx, actorOf(req), { ...req.body, client: clientOf(req) });
      return reply.status(201).header('cache-control', 'no-store').send(created);
    },
  );

  app.post(
    '/api/members/:userId/reset-key',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'resetServiceAccountKey',
        summary: 'Reset the key of a service account: the old one stops working immediately',
        params: MemberPath,
        response: { 200: NewToken, ...errorResponses('401 key', 403, 404, 503) },
      },
    },
    async (req, reply) => {
      const token = await resetServiceAccountKey(ctx, actorOf(req), { ...req.params, client: clientOf(req) });
      return reply.header('cache-control', 'no-store').send({ token });
    },
  );
};
