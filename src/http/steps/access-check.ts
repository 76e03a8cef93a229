import type { FastifyRequest } from 'fastify';
import { ownAccount } from '../../contract/permissions.ts';
import type { Access } from '../../domain/access-watch.ts';
import { findSession } from '../../domain/accounts/sessions.ts';
import { type Actor, toKeyActor } from '../../domain/actor.ts';
import type { Context } from '../../domain/context.ts';
import { findRoleRefusal } from '../../domain/workspaces/change-workspace.ts';
import { AppError } from '../../errors.ts';
import { actorOf } from './authentication.ts';

/** The access that a long response depends on: the credential of the request, and the role that its route requires. */
export function createAccessCheck(ctx: Context, req: FastifyRequest, sessionToken: string | undefined): Access {
  const actor = actorOf(req);
  const { workspaceId, accountId: ownerId } = actor;
  const { permission = ownAccount } = req.routeOptions.config;

  function judge(found: Actor | undefined): number | AppError {
    if (found?.workspaceId !== workspaceId) return new AppError('unauthorized');
    return (permission === ownAccount ? undefined : findRoleRefusal(found.role, permission)) ?? found.revision;
  }

  if (actor.via === 'key') {
    const { key } = actor;
    return {
      ownerId,
      credential: `${key} ${workspaceId} ${permission}`,
      async findRevision() {
        const account = await ctx.store.keys.findAccount(key, workspaceId);
        return judge(account && toKeyActor(account, key));
      },
    };
  }
  return {
    ownerId,
    credential: `${actor.sessionId} ${workspaceId} ${permission}`,
    findRevision: async () => judge(sessionToken === undefined ? undefined : (await findSession(ctx, sessionToken, workspaceId))?.actor),
  };
}

/** Throws if the access has ended. */
export async function assertAccess({ findRevision }: Access): Promise<void> {
  const revision = await findRevision();
  if (typeof revision !== 'number') throw revision;
}
