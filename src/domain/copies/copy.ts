import { includesRole, type Role } from '../../contract/roles.ts';
import { AppError } from '../../errors.ts';
import type { WorkspaceStores } from '../../store/bound-stores.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { Actor } from '../actor.ts';
import { getCurrentRole } from '../workspaces/change-workspace.ts';

/** A prompt, and the workspace to which it is copied. */
export interface Copy {
  source: PromptRecord;
  /** The actor in the workspace of the source. */
  actor: Actor;
  /** The same person in the workspace of the copy. */
  target: Actor;
  name: string;
  isMove: boolean;
}

/**
 * Returns the actor's role in the workspace of the copy. Throws `forbidden` if the role is too low, and a 404 error if the actor cannot see
 * the workspace. The 404 error has details, so that a program can distinguish it from a 404 error for the workspace of the request.
 */
export async function getTargetRole(stores: Pick<WorkspaceStores, 'memberships'>, target: Actor): Promise<Role> {
  const role = await getCurrentRole(stores, target).catch((err: unknown) => {
    throw err instanceof AppError && err.code === 'workspace_not_found' ? targetNotFound() : err;
  });
  if (includesRole(role, 'editor')) return role;
  throw new AppError('forbidden', { text: `You need the role "editor" in the target workspace. Your role there is "${role}".` });
}

export function targetNotFound(): AppError {
  const err = new AppError('workspace_not_found');
  return new AppError(err.code, { details: [{ path: '/workspace', message: err.message }] });
}

export function nameTaken(name: string): AppError {
  return new AppError('name_taken', { text: `The workspace already has a prompt with the name "${name}". Choose another name.` });
}
