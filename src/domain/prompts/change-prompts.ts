import type { FairQueue } from '../../platform/scheduling/fair-queue.ts';
import type { PromptTransaction } from '../../store/prompts/prompt-transaction.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { assertRole, getCurrentRole } from '../workspaces/change-workspace.ts';
import { addDependencyEvents, type ChangedName, findDependents } from './includes/dependency-events.ts';

export interface WithLargeChanges {
  /** The queue for large changes, which take a long time. */
  largeChanges: FairQueue;
}

export interface WithChanges {
  /**
   * Changes to the prompts of one workspace wait for each other in this queue. If they waited for a database lock instead, they would also
   * block other requests.
   */
  changes: FairQueue;
}

/** The stores that a change to prompts uses. */
export interface PromptChangeStores extends PromptTransaction {
  /** The names that refer to a different version after the change. */
  changedNames: ChangedName[];
}

/**
 * Changes the prompts of the actor's workspace in one transaction, and adds events for the prompts that include a changed prompt. The role
 * is read again inside the transaction: the request was authenticated before its body had arrived, and the member may have been removed or
 * demoted since then. `change` receives the actor with the current role.
 */
export async function changePrompts<T>(
  ctx: WithStore & WithChanges,
  actor: Actor,
  change: (stores: PromptChangeStores, actor: Actor) => Promise<T>,
): Promise<T> {
  const { workspaceId } = actor;
  return ctx.changes.run(workspaceId, () =>
    ctx.store.changePrompts(workspaceId, async (stores) => {
      const role = await getCurrentRole(stores, actor);
      assertRole(role, 'editor');
      return changeAndInform(stores, { ...actor, role }, change);
    }),
  );
}

/** Makes a change inside a transaction, and adds events for the prompts that include a changed prompt. */
export async function changeAndInform<T>(
  stores: PromptTransaction,
  actor: Actor,
  change: (stores: PromptChangeStores, actor: Actor) => Promise<T>,
): Promise<T> {
  const changed: ChangedName[] = [];
  const result = await change({ ...stores, changedNames: changed }, actor);
  const dependents = await findDependents(stores, { workspaceId: actor.workspaceId, changed });
  addDependencyEvents(stores, actor, { changed, dependents });
  return result;
}
