import type { PromptTransaction } from '../../../store/prompts/prompt-transaction.ts';
import type { Target } from '../../../store/prompts/references.ts';
import { type Actor, toPerson } from '../../actor.ts';
import { budgetOfChange, findIncludes, type SearchBudget } from './find-includes.ts';
import { maxDepth } from './include-graph.ts';

/** A name that refers to a different version after the change. */
export interface ChangedName {
  name: string;
  /** The label, or undefined for all labels. */
  label: string | undefined;
  /** The prompt that was changed. */
  prompt: { id: string; name: string };
}

/** A prompt that includes a changed prompt, directly or indirectly, in a version that a label or `latest` points at. */
interface AffectedPrompt {
  id: string;
  name: string;
  /** The labels of the versions that include the changed prompt. */
  labels: Set<string>;
  cause: Cause;
}

interface Cause {
  /** The index of the changed name. */
  changed: number;
  label: string;
}

/** The maximum number of dependents that get an event for one change. */
const maxDependents = 100;
/** The maximum number of names with labels that are looked up per level. */
const maxSteps = 200;

/**
 * Adds a `dependency.changed` event for each prompt that includes a changed prompt. Each prompt gets only one event, even if it includes
 * the changed prompt in several ways.
 */
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

/** An include that leads to the changed prompt. */
interface Step extends Target {
  changed: number;
  cause?: Cause;
}

/**
 * Finds the prompts that include a changed prompt, except the changed prompts themselves. The search proceeds level by level. If the limits
 * end the search, the nearest dependents have been found.
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
    // The first queries find which names are included at all, because most names are not.
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
