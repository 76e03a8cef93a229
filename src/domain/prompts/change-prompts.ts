import type { Role } from '../../contract/roles.ts';
import type { PromptTransaction } from '../../store/prompts/change-prompts.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { assertRole, getCurrentRole } from '../workspaces/change-workspace.ts';
import { type AffectedPrompt, addDependencyEvents, type ChangedName, findDependents } from './dependency-events.ts';

/** What a change of prompts works with. */
export interface PromptChangeStores extends PromptTransaction {
  /** The names under which something else is found after the change. */
  changedNames: ChangedName[];
}

/** Prompts that are looked at to find those that include what is changed: before the transaction, and inside, where others wait for it. */
const maxPrompts = 3000;
const maxPromptsInside = 20;
/** The same for a change that did not get through in any other way. */
const maxPromptsAtLast = 200;
const maxAttempts = 4;

/**
 * Changes the prompts of the actor's workspace in one transaction, and tells those that include what has changed. The role is read again
 * inside, because the request was authenticated before its body had arrived: whoever sends it slowly may have been removed or demoted
 * since. `change` gets the actor as it is now.
 *
 * Where many include it, they are looked up outside of the transaction, and the change is made once more. So `change` may be called several
 * times. If the workspace is changed by others over and over meanwhile, only the nearest are told.
 */
export async function changePrompts<T>(ctx: Context, actor: Actor, change: PromptChange<T>): Promise<T> {
  const { workspaceId } = actor;
  return ctx.changes.run(workspaceId, async () => {
    let known: KnownDependents | undefined;
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt === maxAttempts;
      try {
        return await ctx.store.changePrompts(workspaceId, (stores) => changeAndTell(stores, actor, change, { known, isLast }));
      } catch (err) {
        if (!(err instanceof ManyDependents)) throw err;
        const { changed, revision } = err;
        const { dependents } = await findDependents(ctx.store, { workspaceId, changed, maxPrompts });
        known = { dependents, revision };
      }
    }
  });
}

/** Those who include what is changed, found before the transaction. They are right as long as the workspace has this revision. */
interface KnownDependents {
  dependents: AffectedPrompt[];
  revision: number;
}

/** Those who include what is changed are too many to be looked up inside the transaction. */
class ManyDependents extends Error {
  readonly changed: ChangedName[];
  /** Of the workspace before the change. */
  readonly revision: number;

  constructor(changed: ChangedName[], revision: number) {
    super('Too many prompts include what is changed');
    this.changed = changed;
    this.revision = revision;
  }
}

/**
 * The same for a change of many prompts at once. It is made before the transaction, and once more inside if the workspace was changed
 * meanwhile, so it may be called twice. It writes only with what `PromptTransaction` collects.
 */
export async function changeManyPrompts<T>(ctx: Context, actor: Actor, change: PromptChange<T>): Promise<T> {
  const { workspaceId } = actor;
  let role: Role;
  const keepRole: PromptChange<T> = (stores, actor) => {
    role = actor.role;
    return change(stores, actor);
  };
  const changeAhead = (stores: PromptTransaction) => changeAndTell(stores, actor, keepRole, { isLast: true });
  const confirm = async (stores: Pick<PromptTransaction, 'memberships'>) => (await getCurrentRole(stores, actor)) === role;
  return ctx.changes.run(workspaceId, () => ctx.store.changeManyPrompts(workspaceId, changeAhead, confirm));
}

type PromptChange<T> = (stores: PromptChangeStores, actor: Actor) => Promise<T>;

async function changeAndTell<T>(
  stores: PromptTransaction,
  actor: Actor,
  change: PromptChange<T>,
  options: { known?: KnownDependents | undefined; isLast: boolean },
): Promise<T> {
  const role = await getCurrentRole(stores, actor);
  assertRole(role, 'editor');
  const changed: ChangedName[] = [];
  const result = await change({ ...stores, changedNames: changed }, { ...actor, role });
  const dependents = await listDependents(stores, actor, changed, options);
  addDependencyEvents(stores, actor, { changed, dependents });
  return result;
}

async function listDependents(
  stores: PromptTransaction,
  { workspaceId }: Actor,
  changed: ChangedName[],
  { known, isLast }: { known?: KnownDependents | undefined; isLast: boolean },
): Promise<AffectedPrompt[]> {
  if (known?.revision === stores.revisionBefore) return known.dependents;
  const limit = stores.isAhead ? maxPrompts : isLast ? maxPromptsAtLast : maxPromptsInside;
  const { dependents, isComplete } = await findDependents(stores, { workspaceId, changed, maxPrompts: limit });
  if (!isComplete && !isLast) throw new ManyDependents(changed, stores.revisionBefore);
  return dependents;
}
