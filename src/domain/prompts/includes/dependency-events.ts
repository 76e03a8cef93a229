import type { PromptTransaction } from '../../../store/prompts/prompt-transaction.ts';
import type { Target } from '../../../store/prompts/references.ts';
import { type Actor, toPerson } from '../../actor.ts';
import { budgetOfChange, findIncludes, type SearchBudget } from './find-includes.ts';
import { maxDepth } from './load-includes.ts';

/** A name that leads to something else than before. */
export interface ChangedName {
  name: string;
  /** Undefined: at every label. */
  label: string | undefined;
  /** The prompt that was changed. */
  prompt: { id: string; name: string };
}

/** A prompt that includes a changed one, directly or through others, from a version that a label or `latest` points at. */
interface AffectedPrompt {
  id: string;
  name: string;
  /** Its labels that do. */
  labels: Set<string>;
  cause: Cause;
}

interface Cause {
  /** The position of the changed name. */
  changed: number;
  label: string;
}

/** What one change tells at most. */
const maxDependents = 100;
/** Names at labels that are looked up in one level. */
const maxSteps = 200;

/** Adds `dependency.changed` for each prompt that includes a changed one. One event for each, whatever the number of ways. */
export function addDependencyEvents(
  { events }: Pick<PromptTransaction, 'events'>,
  actor: Actor,
  { changed, dependents }: { changed: ChangedName[]; dependents: AffectedPrompt[] },
): void {
  const at = new Date().toISOString();
  for (const { id, name, labels, cause } of dependents) {
    const detail = JSON.stringify({ labels: [...labels].sort(), cause: { prompt: changed[cause.changed]?.prompt, label: cause.label } });
    events.add({ type: 'dependency.changed', at, by: toPerson(actor), prompt: { id, name }, detail });
  }
}

/** Something that leads to what was changed. */
interface Step extends Target {
  changed: number;
  cause?: Cause;
}

/**
 * Finds prompts that include a changed one, except for the changed ones themselves. Level by level, so that the nearest are found first if
 * there are too many: more than are told, or than one change looks at.
 */
export async function findDependents(
  { references }: Pick<PromptTransaction, 'references'>,
  { workspaceId, changed }: { workspaceId: string; changed: ChangedName[] },
): Promise<AffectedPrompt[]> {
  const own = new Set(changed.map(({ prompt }) => prompt.id));
  const budget: SearchBudget = { ...budgetOfChange };
  const dependents = new Map<string, AffectedPrompt>();
  let steps: Step[] = changed.map(({ name, label }, index) => ({ name, label, changed: index }));
  for (let depth = 0; depth < maxDepth && steps.length > 0; depth += 1) {
    const next: Step[] = [];
    // First all of them in a few queries: most prompts are not included anywhere.
    for (const step of await references.listIncluded(workspaceId, steps)) {
      for await (const { promptId: id, name, pointer, label } of findIncludes(references, workspaceId, step, budget)) {
        const dependent = dependents.get(id);
        if (own.has(id) || dependent?.labels.has(pointer)) continue;
        const cause = step.cause ?? { changed: step.changed, label };
        if (dependent) dependent.labels.add(pointer);
        else dependents.set(id, { id, name, labels: new Set([pointer]), cause });
        next.push({ name, label: pointer, changed: step.changed, cause });
      }
      if (budget.promptsLeft < 0 || dependents.size >= maxDependents) return [...dependents.values()].slice(0, maxDependents);
    }
    steps = next.slice(0, maxSteps);
  }
  return [...dependents.values()];
}
