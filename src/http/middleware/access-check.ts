import type { FastifyRequest } from 'fastify';
import { ownAccount } from '../../contract/permissions.ts';
import type { Role } from '../../contract/roles.ts';
import type { Access } from '../../domain/access-watch.ts';
import type { Context } from '../../domain/context.ts';
import { findRoleRefusal } from '../../domain/workspaces/change-workspace.ts';
import { AppError } from '../../errors.ts';
import { actorOf, findActorAgain, mustVerify } from './authentication.ts';

/**
 * The access that a long response depends on: the credential of the request, and the role that its route requires. If the content of the
 * response depends on the caller's role, the access requires that role.
 */
export function createAccessCheck(ctx: Context, req: FastifyRequest, sessionToken: string | undefined, role?: Role): Access {
  const actor = actorOf(req);
  const { workspaceId, accountId: ownerId } = actor;
  const permission = role ?? req.routeOptions.config.permission ?? ownAccount;
  const credential = actor.via === 'key' ? actor.key : actor.sessionId;
  return {
    ownerId,
    credential: `${credential} ${workspaceId} ${permission}`,
    async findRevision() {
      const found = await findActorAgain(ctx, actor, { workspaceId, sessionToken });
      if (found?.workspaceId !== workspaceId) return new AppError('unauthorized');
      if (permission === ownAccount) return found.revision;
      return mustVerify(ctx, found) ? new AppError('email_not_verified') : (findRoleRefusal(found.role, permission) ?? found.revision);
    },
  };
}

/** Throws if the access has ended. */
export async function assertAccess({ findRevision }: Access): Promise<void> {
  const revision = await findRevision();
  if (typeof revision !== 'number') throw revision;
}
