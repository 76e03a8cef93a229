import type { Role } from '../../contract/roles.ts';
import { yieldIfLong } from '../../event-loop.ts';
import type { PromptTransaction } from '../../store/prompts/change-prompts.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { assertRole, getCurrentRole } from '../workspaces/change-workspace.ts';
import { addDependencyEvents, type ChangedName, type Dependent, findDependents, ManyDependents } from './dependency-events.ts';

/** What a change of prompts works with. */
export interface PromptChangeStores extends PromptTransaction {
  /** The names under which something else is found after the change. */
  changedNames: ChangedName[];
}

/** Prompts that include what is changed and are looked at inside the transaction, for which others wait. */
const maxPromptsInside = 20;

/**
 * Changes the prompts of the actor's workspace in one transaction, and tells those that include what has changed. The role is read again
 * inside, because the request was authenticated before its body had arrived: whoever sends it slowly may have been removed or demoted
 * since. `change` gets the actor as it is now.
 *
 * Where many include it, they are looked up outside of the transaction, and the change is made once more. So `change` may be called twice.
 */
export async function changePrompts<T>(ctx: Context, actor: Actor, change: PromptChange<T>): Promise<T> {
  const { workspaceId } = actor;
  return ctx.changes.run(workspaceId, async () => {
    let revision: number | undefined;
    try {
      return await ctx.store.changePrompts(workspaceId, (stores) => {
        revision = stores.revisionBefore;
        return changeAndTell(stores, actor, change, { maxPrompts: maxPromptsInside });
      });
    } catch (err) {
      if (!(err instanceof ManyDependents)) throw err;
      const known = await findDependents(ctx.store, { workspaceId, changed: err.changed, pause: yieldIfLong });
      return ctx.store.changePrompts(workspaceId, (stores) =>
        changeAndTell(stores, actor, change, stores.revisionBefore === revision ? { known } : {}),
      );
    }
  });
}

/**
 * The same for a change of many prompts at once. It is made before the transaction, and once more inside if the workspace was changed
 * meanwhile, so it may be called twice. It writes only with what `PromptTransaction` collects.
 */
export async function changeManyPrompts<T>(ctx: Context, actor: Actor, change: PromptChange<T>): Promise<T> {
  const { workspaceId } = actor;
  let role: Role;
  const changeAhead = (stores: PromptTransaction) =>
    changeAndTell(stores, actor, (stores, actor) => {
      role = actor.role;
      return change(stores, actor);
    });
  const confirm = async (stores: Pick<PromptTransaction, 'memberships'>) => (await getCurrentRole(stores, actor)) === role;
  return ctx.changes.run(workspaceId, () => ctx.store.changeManyPrompts(workspaceId, changeAhead, confirm));
}

type PromptChange<T> = (stores: PromptChangeStores, actor: Actor) => Promise<T>;

/** `known` are the prompts to tell, if they were looked up before. */
async function changeAndTell<T>(
  stores: PromptTransaction,
  actor: Actor,
  change: PromptChange<T>,
  { known, maxPrompts }: { known?: Dependent[]; maxPrompts?: number } = {},
): Promise<T> {
  const { workspaceId } = actor;
  const role = await getCurrentRole(stores, actor);
  assertRole(role, 'editor');
  const changed: ChangedName[] = [];
  const result = await change({ ...stores, changedNames: changed }, { ...actor, role });
  const dependents = known ?? (await findDependents(stores, { workspaceId, changed, pause: stores.pause, maxPrompts }));
  addDependencyEvents(stores, actor, { changed, dependents });
  return result;
}
