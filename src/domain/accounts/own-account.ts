import { AppError } from '../../errors.ts';
import type { Actor } from '../actor.ts';

/** Throws if the actor is a service account, because a service account has only a key, and nothing else to show or change. */
export function assertPerson(actor: Actor): void {
  if (!isServiceAccount(actor)) return;
  throw new AppError('forbidden', { text: 'A service account has no account settings. The admins of its workspace manage it.' });
}

/**
 * Returns whether the actor of a request about the caller's account is a service account. Such a request always acts in the caller's own
 * workspace, and only service accounts have no workspace of their own.
 */
export function isServiceAccount({ workspaceId, accountId }: Actor): boolean {
  return workspaceId !== accountId;
}
