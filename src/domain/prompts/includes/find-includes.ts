import type { LiveReference, Target } from '../../../store/prompts/references.ts';
import type { Store } from '../../../store/store.ts';

/** How many prompts a search may still look at. Negative after it could not look at all. */
export interface SearchBudget {
  promptsLeft: number;
}

/** What a change looks at inside its transaction, for which other changes wait. */
export const maxPromptsOfChange = 120;

/** Finding the ids of prompts takes as long as looking at some of them. */
const searchCost = 2;

/**
 * The includes of a target by versions that a label or `latest` points at, as many as the budget allows: prompts that no longer include it are
 * looked at too.
 */
export async function findIncludes(
  references: Pick<Store['references'], 'listIncluding' | 'listLive'>,
  workspaceId: string,
  target: Target,
  budget: SearchBudget,
): Promise<LiveReference[]> {
  const limit = Math.max(0, budget.promptsLeft - searchCost);
  const ids = await references.listIncluding(workspaceId, target, { after: '', limit: limit + 1 });
  budget.promptsLeft = ids.length > limit ? -1 : limit - ids.length;
  return references.listLive(workspaceId, target, ids.slice(0, limit));
}
