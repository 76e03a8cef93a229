import { findSession } from '../../domain/accounts/sessions.ts';
import { type Actor, toKeyActor } from '../../domain/actor.ts';
import type { Context } from '../../domain/context.ts';
import type { Reader } from '../../domain/events/feed.ts';

/** For streams: looks the credential up again, as a request of its own would. */
export function createAccessCheck(
  ctx: Context,
  actor: Actor,
  sessionToken: string | undefined,
): Pick<Reader, 'credential' | 'findRevision'> {
  const { workspaceId } = actor;
  const revisionOf = (found: Actor | undefined) => (found?.workspaceId === workspaceId ? found.revision : undefined);
  if (actor.via === 'key') {
    const { key } = actor;
    const findAccount = async () => ctx.store.keys.findAccount(key, workspaceId);
    return {
      credential: `${key} ${workspaceId}`,
      findRevision: () => findAccount().then((account) => revisionOf(account && toKeyActor(account, key))),
    };
  }
  return {
    credential: `${actor.sessionId} ${workspaceId}`,
    findRevision: async () =>
      sessionToken === undefined ? undefined : revisionOf((await findSession(ctx, sessionToken, workspaceId))?.actor),
  };
}
