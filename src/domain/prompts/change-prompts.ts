import type { Role } from '../../contract/roles.ts';
import type { PromptTransaction } from '../../store/prompts/change-prompts.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { assertRole, getCurrentRole } from '../workspaces/change-workspace.ts';
import { addDependencyEvents, type ChangedName } from './dependency-events.ts';

/** What a change of prompts works with. */
export interface PromptChangeStores extends PromptTransaction {
  /** The names under which something else is found after the change. */
  changedNames: ChangedName[];
}

/**
 * Changes the prompts of the actor's workspace in one transaction, and tells those that include what has changed. The role is read again
 * inside, because the request was authenticated before its body had arrived: whoever sends it slowly may have been removed or demoted
 * since. `change` gets the actor as it is now.
 */
export async function changePrompts<T>(ctx: Context, actor: Actor, change: PromptChange<T>): Promise<T> {
  const { workspaceId } = actor;
  return ctx.changes.run(workspaceId, () => ctx.store.changePrompts(workspaceId, (stores) => run(stores, actor, change)));
}

/**
 * The same for a change of many prompts at once. It is made before the transaction, and once more inside if the workspace was changed
 * meanwhile, so it may be called twice. It writes only with what `PromptTransaction` collects.
 */
export async function changeManyPrompts<T>(ctx: Context, actor: Actor, change: PromptChange<T>): Promise<T> {
  const { workspaceId } = actor;
  let role: Role;
  const changeAhead = (stores: PromptTransaction) =>
    run(stores, actor, (stores, actor) => {
      role = actor.role;
      return change(stores, actor);
    });
  const confirm = async (stores: Pick<PromptTransaction, 'memberships'>) => (await getCurrentRole(stores, actor)) === role;
  return ctx.changes.run(workspaceId, () => ctx.store.changeManyPrompts(workspaceId, changeAhead, confirm));
}

type PromptChange<T> = (stores: PromptChangeStores, actor: Actor) => Promise<T>;

async function run<T>(stores: PromptTransaction, actor: Actor, change: PromptChange<T>): Promise<T> {
  const role = await getCurrentRole(stores, actor);
  assertRole(role, 'editor');
  const changedNames: ChangedName[] = [];
  const result = await change({ ...stores, changedNames }, { ...actor, role });
  await addDependencyEvents(stores, actor, changedNames);
  return result;
}
