import type { LiveReference, Target } from '../../../store/prompts/references.ts';
import type { Store } from '../../../store/store.ts';

/** How many prompts a search may still look at. Negative after it had to stop. */
export interface SearchBudget {
  promptsLeft: number;
}

/** What a change looks at inside its transaction: one page, and then what includes those. Other changes wait for it. */
export const maxPromptsOfChange = 120;

/** How many prompts are looked at together. Finding their ids takes as long as looking at some of them. */
const pagePrompts = 100;
const pageCost = 2;

/**
 * The includes of a target by versions that a label or `latest` points at. Page by page, until the budget is used up: prompts that no longer
 * include it are looked at too.
 */
export async function* walkIncludes(
  references: Pick<Store['references'], 'listIncluding' | 'listLive'>,
  workspaceId: string,
  target: Target,
  budget: SearchBudget,
): AsyncGenerator<LiveReference[]> {
  for (let after = ''; ; ) {
    const limit = Math.min(pagePrompts, budget.promptsLeft - pageCost);
    if (limit <= 0) {
      budget.promptsLeft = -1;
      return;
    }
    const ids = await references.listIncluding(workspaceId, target, { after, limit });
    budget.promptsLeft -= pageCost + ids.length;
    yield await references.listLive(workspaceId, target, ids);
    const last = ids.at(-1);
    if (last === undefined || ids.length < limit) return;
    after = last;
  }
}
