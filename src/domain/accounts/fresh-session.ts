import { AppError } from '../../errors.ts';
import type { WithStore } from '../../store/store.ts';
import type { SessionActor } from '../actor.ts';

const freshMs = 10 * 60 * 1000;

/** Throws unless the person signed in a few minutes ago, so that a stolen session cannot change how the person signs in. */
export async function assertFreshSession({ store }: WithStore, { sessionId }: Pick<SessionActor, 'sessionId'>): Promise<void> {
  const createdAt = await store.sessions.findCreatedAt(sessionId);
  if (createdAt === undefined || Date.now() - Date.parse(createdAt) > freshMs) throw new AppError('fresh_sign_in_required');
}
