import type { PromptTransaction } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { assertRole, getCurrentRole } from '../workspaces/change-workspace.ts';

/**
 * Changes the prompts of the actor's workspace in one transaction. The role is read again inside, because the request was authenticated
 * before its body had arrived: whoever sends it slowly may have been removed or demoted since. `change` gets the actor as it is now.
 */
export async function changePrompts<T>(
  ctx: Context,
  actor: Actor,
  change: (stores: PromptTransaction, actor: Actor) => Promise<T>,
): Promise<T> {
  return ctx.store.changePrompts(actor.workspaceId, async (stores) => {
    const role = await getCurrentRole(stores, actor);
    assertRole(role, 'editor');
    return change(stores, { ...actor, role });
  });
}
