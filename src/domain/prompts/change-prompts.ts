import type { PromptTransaction } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { addDependencyEvents, type ChangedName } from './dependency-events.ts';

/** What a change of prompts works with. */
export interface PromptChangeStores extends PromptTransaction {
  /** The names under which something else is found after the change. */
  changedNames: ChangedName[];
}

/** Changes the workspace's prompts in one transaction, and tells those that include what has changed. */
export async function changePrompts<T>(ctx: Context, actor: Actor, change: (stores: PromptChangeStores) => Promise<T>): Promise<T> {
  return ctx.store.changePrompts(actor.workspaceId, async (stores) => {
    const changedNames: ChangedName[] = [];
    const result = await change({ ...stores, changedNames });
    await addDependencyEvents(stores, actor, changedNames);
    return result;
  });
}
