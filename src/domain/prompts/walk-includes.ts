import { type LiveReference, looksOf } from '../../store/prompts/references.ts';
import type { Store } from '../../store/store.ts';

/** How much a search may still look at, as `looksOf` counts it. Negative after it had to stop. */
export interface SearchBudget {
  looksLeft: number;
}

/** Prompts of which one query finds the ids, and what that takes. */
const pagePrompts = 100;
const pageLooks = 10;

/**
 * The includes of a name, at one of some labels or at any, by versions that a label or `latest` points at. Page by page, until the budget
 * is used up: also prompts that no longer include it are looked at.
 */
export async function* walkIncludes(
  references: Pick<Store['references'], 'listIncluding' | 'listLive'>,
  { workspaceId, name, labels }: { workspaceId: string; name: string; labels: readonly string[] | undefined },
  budget: SearchBudget,
): AsyncGenerator<LiveReference[]> {
  for (let after = ''; ; ) {
    const limit = Math.min(pagePrompts, Math.floor((budget.looksLeft - pageLooks) / looksOf(1, labels)));
    if (limit <= 0) {
      budget.looksLeft = -1;
      return;
    }
    const ids = await references.listIncluding(workspaceId, name, { after, limit });
    budget.looksLeft -= pageLooks + looksOf(ids.length, labels);
    yield await references.listLive(workspaceId, name, ids, labels);
    const last = ids.at(-1);
    if (last === undefined || ids.length < limit) return;
    after = last;
  }
}
