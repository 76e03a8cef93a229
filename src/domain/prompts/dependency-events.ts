import type { PromptTransaction } from '../../store/prompts/change-prompts.ts';
import type { LiveReference } from '../../store/prompts/references.ts';
import type { Actor } from '../actor.ts';
import { toPerson } from '../people.ts';
import { maxDepth } from './partials.ts';

/** A name that leads to something else than before. */
export interface ChangedName {
  name: string;
  /** Undefined: at every label. */
  label: string | undefined;
  /** The prompt that was changed. */
  prompt: { id: string; name: string };
}

/** What one change tells at most: it is looked up in the transaction of the change, for which others wait. */
const maxDependents = 100;
/** Names that are looked up, besides those of the changed prompts themselves. */
const maxLookups = 100;
/** Labels that point at a version with the include. Names are looked up until there are so many. */
const maxPointers = 3000;

interface Dependent {
  id: string;
  name: string;
  labels: Set<string>;
  cause: { prompt: { id: string; name: string }; label: string };
}

/**
 * Adds `dependency.changed` for each prompt that includes a changed one, directly or through others, from a version that a label or
 * `latest` points at. One event for each, whatever the number of ways. Runs inside the transaction of the change.
 */
export async function addDependencyEvents(
  stores: Pick<PromptTransaction, 'references' | 'events'>,
  actor: Actor,
  changed: ChangedName[],
): Promise<void> {
  const dependents = await findDependents(stores, actor, changed);
  const at = new Date().toISOString();
  for (const { id, name, labels, cause } of dependents) {
    const detail = JSON.stringify({ labels: [...labels].sort(), cause });
    stores.events.add({ type: 'dependency.changed', at, by: toPerson(actor), prompt: { id, name }, detail });
  }
}

interface Step extends ChangedName {
  cause?: Dependent['cause'];
}

/** Level by level, so that the nearest are found first if there are too many. */
async function findDependents(
  { references }: Pick<PromptTransaction, 'references'>,
  { workspaceId }: Actor,
  changed: ChangedName[],
): Promise<Dependent[]> {
  const own = new Set(changed.map(({ prompt }) => prompt.id));
  let lookupsLeft = maxLookups + new Set(changed.map(({ name }) => name)).size;
  let pointersLeft = maxPointers;
  const dependents = new Map<string, Dependent>();
  let steps: Step[] = changed;
  for (let depth = 0; depth < maxDepth && steps.length > 0; depth += 1) {
    // One query for all of them: most prompts are not included anywhere.
    const included = await references.listIncluded(workspaceId, [...new Set(steps.map(({ name }) => name))]);
    const next: Step[] = [];
    for (const [name, ways] of Map.groupBy(steps, (step) => step.name)) {
      if (!included.has(name)) continue;
      lookupsLeft -= 1;
      if (lookupsLeft < 0 || pointersLeft < 0) break;
      const includes = await listIncludes(references, { workspaceId, name, own, labels: labelsOf(ways) });
      pointersLeft -= includes.length;
      for (const include of includes) {
        const { promptId: id, name: including, pointer, label } = include;
        const way = ways.find((step) => step.label === undefined || step.label === label);
        const dependent = dependents.get(id);
        if (!way || dependent?.labels.has(pointer) || (!dependent && dependents.size >= maxDependents)) continue;
        const cause = way.cause ?? { prompt: way.prompt, label };
        if (dependent) dependent.labels.add(pointer);
        else dependents.set(id, { id, name: including, labels: new Set([pointer]), cause });
        next.push({ name: including, label: pointer, prompt: way.prompt, cause });
      }
    }
    steps = next;
  }
  return [...dependents.values()];
}

/** Undefined: at every label. */
function labelsOf(steps: Step[]): string[] | undefined {
  const labels = steps.flatMap(({ label }) => label ?? []);
  return labels.length < steps.length ? undefined : [...new Set(labels)];
}

/** Without those that were changed themselves. */
async function listIncludes(
  references: PromptTransaction['references'],
  { workspaceId, name, own, labels }: { workspaceId: string; name: string; own: ReadonlySet<string>; labels: string[] | undefined },
): Promise<LiveReference[]> {
  const ids = await references.listIncluding(workspaceId, name, { after: '', limit: maxDependents + own.size });
  return references.listLive(workspaceId, name, ids.filter((id) => !own.has(id)).slice(0, maxDependents), labels);
}
