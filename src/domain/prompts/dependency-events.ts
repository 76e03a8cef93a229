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

/** What one change tells at most, so that a prompt that thousands include can be changed as fast as any other. */
const maxDependents = 100;
/** Besides those of the changed prompts themselves. */
const maxLookups = 100;

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
  // One query for all of them: most prompts are not included anywhere.
  const included = await references.listIncluded(workspaceId, [...new Set(changed.map(({ name }) => name))]);
  const lookupLimit = maxLookups + included.size;
  const dependents = new Map<string, Dependent>();
  const lookups = new Map<string, Promise<LiveReference[]>>();
  let steps: Step[] = changed.filter(({ name }) => included.has(name));
  for (let depth = 0; depth < maxDepth && steps.length > 0; depth += 1) {
    const next: Step[] = [];
    for (const step of steps) {
      if (!lookups.has(step.name) && lookups.size >= lookupLimit) break;
      const found = lookups.get(step.name) ?? listIncludes(references, workspaceId, step.name, own);
      lookups.set(step.name, found);
      for (const include of await found) {
        if (step.label !== undefined && include.label !== step.label) continue;
        const cause = step.cause ?? { prompt: step.prompt, label: include.label };
        const { promptId: id, name, pointer } = include;
        const dependent = dependents.get(id) ?? { id, name, labels: new Set<string>(), cause };
        if (dependent.labels.has(pointer) || (dependent.labels.size === 0 && dependents.size >= maxDependents)) continue;
        dependents.set(id, dependent);
        dependent.labels.add(pointer);
        next.push({ name, label: pointer, prompt: step.prompt, cause });
      }
    }
    steps = next;
  }
  return [...dependents.values()];
}

/** Without those that were changed themselves. */
async function listIncludes(
  references: PromptTransaction['references'],
  workspaceId: string,
  name: string,
  own: ReadonlySet<string>,
): Promise<LiveReference[]> {
  const ids = await references.listIncluding(workspaceId, name, { after: '', limit: maxDependents + own.size });
  return references.listLive(workspaceId, name, ids.filter((id) => !own.has(id)).slice(0, maxDependents));
}
