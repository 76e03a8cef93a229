import { AppError } from '../../errors.ts';
import type { Actor } from '../actor.ts';

/** Throws if the actor is a service account: it has a key and nothing else that its account could show or change. */
export function assertPerson(actor: Actor): void {
  if (!isServiceAccount(actor)) return;
  throw new AppError('forbidden', { text: 'A service account has no account settings. The admins of its workspace manage it.' });
}

/**
 * Whether the actor of a request that concerns its own account is a service account. Only those have no workspace of their own, and such
 * requests never act in the workspace of another.
 */
export function isServiceAccount({ workspaceId, accountId }: Actor): boolean {
  return workspaceId !== accountId;
}
