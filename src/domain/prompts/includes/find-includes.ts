import { batchesOf } from '../../../store/insert-rows.ts';
import type { PromptStores } from '../../../store/prompts/prompt-transaction.ts';
import type { LiveReference, Target } from '../../../store/prompts/references.ts';
import type { Store } from '../../../store/store.ts';

/** How many prompts a search may still look at, and how many labels of them it may still find. Negative prompts after it could not look at all. */
export interface SearchBudget {
  promptsLeft: number;
  labelsLeft: number;
}

/** What a change looks at inside its transaction, for which the event loop and other changes wait. */
export const budgetOfChange: SearchBudget = { promptsLeft: 120, labelsLeft: 400 };

/** Finding the ids of prompts takes as long as looking at some of them. */
const searchCost = 2;

/** Looked at together. */
const batchPrompts = 20;

/**
 * The includes of a target by versions that a label or `latest` points at, as many as the budget allows: prompts that no longer include it are
 * looked at too.
 */
export async function* findIncludes(
  references: Pick<Store['references'], 'listIncluding' | 'listLive'>,
  workspaceId: string,
  target: Target,
  budget: SearchBudget,
): AsyncGenerator<LiveReference> {
  const limit = Math.max(0, budget.promptsLeft - searchCost);
  const ids = await references.listIncluding(workspaceId, target, { after: '', limit: limit + 1 });
  budget.promptsLeft = ids.length > limit ? -1 : limit - ids.length;
  for (const batch of batchesOf(ids.slice(0, limit), batchPrompts)) {
    const found = await references.listLive(workspaceId, target, batch);
    yield* found;
    budget.labelsLeft -= found.length;
    if (budget.labelsLeft > 0) continue;
    budget.promptsLeft = -1;
    return;
  }
}

/**
 * An include of a prompt by another one, from a version that is in use, and at one of the labels if they are given. `unknown` if more prompts
 * have included it than a change may look at.
 */
export async function findInclude(
  { references }: Pick<PromptStores, 'references'>,
  workspaceId: string,
  { prompt, labels }: { prompt: { id: string; name: string }; labels?: string[] },
): Promise<LiveReference | 'unknown' | undefined> {
  const budget = { ...budgetOfChange };
  const targets = (labels ?? [undefined]).map((label) => ({ name: prompt.name, label }));
  for (const target of await references.listIncluded(workspaceId, targets)) {
    for await (const include of findIncludes(references, workspaceId, target, budget)) if (include.promptId !== prompt.id) return include;
  }
  return budget.promptsLeft < 0 ? 'unknown' : undefined;
}

/** Which prompt includes another one, and how, as the start of a sentence. */
export function describeInclude({ name, label }: LiveReference): string {
  return `"${name}" includes this prompt at ${label.startsWith('@') ? `version ${label.slice(1)}` : `the label "${label}"`}`;
}
