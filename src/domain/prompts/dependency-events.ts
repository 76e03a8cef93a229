import type { PromptTransaction } from '../../store/prompts/change-prompts.ts';
import type { Actor } from '../actor.ts';
import { toPerson } from '../people.ts';
import { maxDepth } from './partials.ts';
import { type SearchBudget, walkIncludes } from './walk-includes.ts';

/** A name that leads to something else than before. */
export interface ChangedName {
  name: string;
  /** Undefined: at every label. */
  label: string | undefined;
  /** The prompt that was changed. */
  prompt: { id: string; name: string };
}

/** A prompt that includes a changed one, directly or through others, from a version that a label or `latest` points at. */
export interface Dependent {
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

/** Adds `dependency.changed` for each prompt that includes a changed one. One event for each, whatever the number of ways. */
export function addDependencyEvents(
  { events }: Pick<PromptTransaction, 'events'>,
  actor: Actor,
  { changed, dependents }: { changed: ChangedName[]; dependents: Dependent[] },
): void {
  const at = new Date().toISOString();
  for (const { id, name, labels, cause } of dependents) {
    const detail = JSON.stringify({ labels: [...labels].sort(), cause: { prompt: changed[cause.changed]?.prompt, label: cause.label } });
    events.add({ type: 'dependency.changed', at, by: toPerson(actor), prompt: { id, name }, detail });
  }
}

/** A name to look up, and how it was reached. */
interface Step {
  name: string;
  label: string | undefined;
  changed: number;
  cause?: Cause;
}

interface Lookup {
  workspaceId: string;
  changed: ChangedName[];
  maxLooks: number;
}

/**
 * Finds prompts that include a changed one, except for the changed ones themselves. Level by level, so that the nearest are found first if
 * there are too many: more than are told, or than `maxLooks` lets it look at. `isComplete` is false in the latter case.
 */
export async function findDependents(
  { references }: Pick<PromptTransaction, 'references'>,
  { workspaceId, changed, maxLooks }: Lookup,
): Promise<{ dependents: Dependent[]; isComplete: boolean }> {
  const own = new Set(changed.map(({ prompt }) => prompt.id));
  const budget: SearchBudget = { looksLeft: maxLooks };
  const dependents = new Map<string, Dependent>();
  let steps: Step[] = changed.map(({ name, label }, index) => ({ name, label, changed: index }));
  for (let depth = 0; depth < maxDepth && steps.length > 0; depth += 1) {
    // One query for all of them: most prompts are not included anywhere.
    const included = await references.listIncluded(workspaceId, [...new Set(steps.map(({ name }) => name))]);
    const next: Step[] = [];
    for (const [name, ways] of Map.groupBy(steps, (step) => step.name)) {
      if (!included.has(name)) continue;
      for await (const includes of walkIncludes(references, { workspaceId, name, labels: labelsOf(ways) }, budget)) {
        for (const { promptId: id, name: including, pointer, label } of includes) {
          const way = ways.find((step) => step.label === undefined || step.label === label);
          const dependent = dependents.get(id);
          if (!way || own.has(id) || dependent?.labels.has(pointer)) continue;
          if (!dependent && dependents.size === maxDependents) return { dependents: [...dependents.values()], isComplete: true };
          const cause = way.cause ?? { changed: way.changed, label };
          if (dependent) dependent.labels.add(pointer);
          else dependents.set(id, { id, name: including, labels: new Set([pointer]), cause });
          next.push({ name: including, label: pointer, changed: way.changed, cause });
        }
      }
    }
    steps = next;
  }
  return { dependents: [...dependents.values()], isComplete: budget.looksLeft >= 0 };
}

/** Undefined: at every label. */
function labelsOf(steps: Step[]): string[] | undefined {
  const labels = steps.flatMap(({ label }) => label ?? []);
  return labels.length < steps.length ? undefined : [...new Set(labels)];
}
