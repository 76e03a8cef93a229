import { batchesOf } from '../../../store/insert-rows.ts';
import type { PromptStores } from '../../../store/prompts/prompt-transaction.ts';
import type { LiveReference, Target } from '../../../store/prompts/references.ts';
import type { Store } from '../../../store/store.ts';

/**
 * The number of prompts that a search may still read, and the number of labels that it may still find. The number of prompts becomes
 * negative if the search ended before it had read all prompts.
 */
export interface SearchBudget {
  promptsLeft: number;
  labelsLeft: number;
}

/** The search budget of a change. It is small, because the event loop and other changes wait for the transaction of the change. */
export const budgetOfChange: SearchBudget = { promptsLeft: 120, labelsLeft: 400 };

/** The cost of a query for the ids of prompts, counted as a number of prompts. */
const searchCost = 2;

/** The number of prompts that are read together. */
const batchPrompts = 20;

/**
 * Finds includes of a target in versions that a label or `latest` points at, until the budget is used up. Prompts that no longer include
 * the target also count toward the budget.
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
 * Finds an include of a prompt in a version that is in use. If labels are given, the include must be at one of them. Returns `unknown` if
 * the search would have to read more prompts than a change may read.
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

/** Describes which prompt includes another prompt, and how, as the start of a sentence. */
export function describeInclude({ name, label, prompt }: Pick<LiveReference, 'name' | 'label'> & { prompt?: string }): string {
  return `"${name}" includes ${prompt === undefined ? 'this prompt' : `"${prompt}"`} at ${label.startsWith('@') ? `version ${label.slice(1)}` : `the label "${label}"`}`;
}
