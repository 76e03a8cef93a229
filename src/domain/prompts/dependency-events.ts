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
/** Names that are looked up, besides those of the changed prompts themselves. */
const maxLookups = 100;
/** Labels that point at a version with the include. Names are looked up until there are so many. */
const maxPointers = 3000;
/** Prompts that one query looks at. */
const partSize = 25;

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
  /** Called before each query that may be one of many. */
  pause(): Promise<void>;
  /** If more prompts have to be looked at, `ManyDependents` is thrown. */
  maxPrompts?: number | undefined;
}

/** More prompts may include a changed one than the caller wants to look at. */
export class ManyDependents extends Error {
  readonly changed: ChangedName[];

  constructor(changed: ChangedName[]) {
    super();
    this.changed = changed;
  }
}

/**
 * Finds the prompts that include a changed one. Level by level, so that the nearest are found first if there are too many. The changed
 * prompts themselves are left out, so the result is the same before and after the change.
 */
export async function findDependents(
  { references }: Pick<PromptTransaction, 'references'>,
  { workspaceId, changed, pause, maxPrompts = Number.POSITIVE_INFINITY }: Lookup,
): Promise<Dependent[]> {
  const own = new Set(changed.map(({ prompt }) => prompt.id));
  let lookupsLeft = maxLookups + new Set(changed.map(({ name }) => name)).size;
  let pointersLeft = maxPointers;
  let promptsLeft = maxPrompts;
  const dependents = new Map<string, Dependent>();
  let steps: Step[] = changed.map(({ name, label }, index) => ({ name, label, changed: index }));
  for (let depth = 0; depth < maxDepth && steps.length > 0; depth += 1) {
    // One query for all of them: most prompts are not included anywhere.
    const included = await references.listIncluded(workspaceId, [...new Set(steps.map(({ name }) => name))]);
    const next: Step[] = [];
    for (const [name, ways] of Map.groupBy(steps, (step) => step.name)) {
      if (!included.has(name)) continue;
      lookupsLeft -= 1;
      if (lookupsLeft < 0 || pointersLeft < 0) break;
      const limit = Math.min(maxDependents, promptsLeft + 1);
      const ids = await references.listIncluding(workspaceId, name, { after: '', limit: limit + own.size });
      const others = ids.filter((id) => !own.has(id)).slice(0, limit);
      promptsLeft -= others.length;
      if (promptsLeft < 0) throw new ManyDependents(changed);
      const includes = await listIncludes(references, { workspaceId, name, ids: others, labels: labelsOf(ways), pause });
      pointersLeft -= includes.length;
      for (const { promptId: id, name: including, pointer, label } of includes) {
        const way = ways.find((step) => step.label === undefined || step.label === label);
        const dependent = dependents.get(id);
        if (!way || dependent?.labels.has(pointer) || (!dependent && dependents.size >= maxDependents)) continue;
        const cause = way.cause ?? { changed: way.changed, label };
        if (dependent) dependent.labels.add(pointer);
        else dependents.set(id, { id, name: including, labels: new Set([pointer]), cause });
        next.push({ name: including, label: pointer, changed: way.changed, cause });
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

interface IncludesLookup extends Pick<Lookup, 'workspaceId' | 'pause'> {
  name: string;
  /** Of the prompts that may include it. */
  ids: string[];
  labels: string[] | undefined;
}

async function listIncludes(
  references: PromptTransaction['references'],
  { workspaceId, name, ids, labels, pause }: IncludesLookup,
): Promise<LiveReference[]> {
  const includes: LiveReference[] = [];
  for (let start = 0; start < ids.length; start += partSize) {
    await pause();
    includes.push(...(await references.listLive(workspaceId, name, ids.slice(start, start + partSize), labels)));
  }
  return includes;
}
