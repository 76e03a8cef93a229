import { pinOf } from '../../../contract/label-names.ts';
import type { ReadingStores } from '../../../store/bound-stores.ts';
import type { LiveReference, Target } from '../../../store/prompts/references.ts';
import type { Actor } from '../../actor.ts';
import { findIncludes, type SearchBudget } from './find-includes.ts';
import { maxDepth } from './include-graph.ts';

/** The search budget of one request. The nearest dependents are found first. */
const budgetOfRequest: SearchBudget = { promptsLeft: 5000, labelsLeft: 20_000 };
const maxFound = 500;
/** The maximum number of names with labels that are looked up per level. */
const maxSteps = 2000;

/** A prompt that includes another prompt only indirectly: it directly includes the prompt `via`, which leads to the other prompt. */
export interface IndirectDependent {
  via: string;
  references: LiveReference[];
}

/** Finds the prompts that include the given prompt only indirectly, in versions that a label or `latest` points at. Returns them by id. */
export async function findIndirectDependents(
  { references: store }: ReadingStores,
  actor: Actor,
  name: string,
): Promise<Map<string, IndirectDependent>> {
  const found = new Map<string, IndirectDependent>();
  const visited = new Set<string>();
  const direct = new Set<string>();
  const budget: SearchBudget = { ...budgetOfRequest };
  /** The includes that lead to the requested prompt. */
  let steps: Target[] = [{ name, label: undefined }];
  for (let depth = 0; depth < maxDepth && steps.length > 0; depth += 1) {
    const next: Target[] = [];
    for (const step of await store.listIncluded(actor.workspaceId, steps)) {
      for await (const reference of findIncludes(store, actor.workspaceId, step, budget)) {
        const { promptId: id, name: including, pointer, version } = reference;
        if (including === name) continue;
        if (depth === 0) direct.add(id);
        else if (!direct.has(id)) addReference(found, { id, via: step.name, reference });
        for (const label of [pointer, pinOf(version)]) {
          const key = `${id} ${label}`;
          if (!visited.has(key)) next.push({ name: including, label });
          visited.add(key);
        }
      }
      if (budget.promptsLeft < 0) return found;
    }
    steps = next.slice(0, maxSteps);
  }
  return found;
}

/** Adds a dependent. If it includes the prompt in several ways, the first of these includes is kept. */
function addReference(
  found: Map<string, IndirectDependent>,
  { id, via, reference }: { id: string; via: string; reference: LiveReference },
): void {
  const known = found.get(id);
  if (known?.via === via) known.references.push(reference);
  else if (!known && found.size < maxFound) found.set(id, { via, references: [reference] });
}
