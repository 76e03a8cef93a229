import { AppError } from '../../errors.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';

/** For how long after a proof of identity a session may make changes that require a fresh sign-in. */
export const freshSignInMs = 10 * 60 * 1000;

/**
 * Throws unless the person behind the actor's session has just proved their identity, with the password and the second factor or with a
 * passkey. A sign-in counts, and so does a confirmation in the session.
 */
export async function assertFreshSignIn(ctx: WithStore, actor: Actor): Promise<void> {
  const provedAt = actor.via === 'session' ? await ctx.store.sessions.findProvedAt(actor.sessionId) : undefined;
  if (provedAt === undefined || Date.now() - Date.parse(provedAt) > freshSignInMs) throw new AppError('fresh_sign_in_required');
}
