import { AppError } from '../../errors.ts';
import type { Actor } from '../actor.ts';

/** Throws if the actor is a service account, because a service account has only a key, and nothing else to show or change. */
export function assertPerson(actor: Actor): void {
  if (!isServiceAccount(actor)) return;
  throw new AppError('forbidden', { text: 'A service account has no account settings. The admins of its workspace manage it.' });
}

/**
 * Returns whether the actor is a service account. Call this only for requests about the caller's account. In such a request, a person acts
 * in their own workspace, which has the id of their account. A service account has no workspace of its own.
 */
export function isServiceAccount({ workspaceId, accountId }: Actor): boolean {
  return workspaceId !== accountId;
}
