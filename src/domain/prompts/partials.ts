import type { PromptType } from '../../contract/versions.ts';
import type { LabeledVersion } from '../../store/prompts/versions.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { type Analysis, type PartialReference, partialKey, type TemplateVariable } from '../templates/types.ts';
import { parseStoredContent } from './content.ts';

/** A prompt that others take in, as the store has it now. */
interface Partial {
  type: PromptType;
  text: string;
  variables: TemplateVariable[];
  partials: PartialReference[];
}

/** All prompts that some templates take in, directly or not, by key. What cannot be found is not in it. */
export type PartialGraph = ReadonlyMap<string, Partial>;

export interface PartialProblem {
  kind: 'missing' | 'circular' | 'too_deep' | 'too_many' | 'not_text';
  reference: PartialReference;
}

const maxDepth = 8;
const maxPartials = 100;

/** Loads what the references of some templates lead to, level by level, with one query for each label on a level. */
export async function loadPartials(
  ctx: Context,
  { workspaceId }: Actor,
  references: PartialReference[],
  templates = 1,
): Promise<PartialGraph> {
  const graph = new Map<string, Partial>();
  let wanted = references;
  for (let depth = 0; depth < maxDepth && wanted.length > 0 && graph.size <= maxPartials * templates; depth += 1) {
    const found = (
      await Promise.all([...namesByLabel(wanted)].map(([label, names]) => ctx.store.versions.listLabeled(workspaceId, [...names], label)))
    ).flat();
    for (const version of found) graph.set(partialKey(version), toPartial(version));
    wanted = found
      .flatMap((version) => graph.get(partialKey(version))?.partials ?? [])
      .filter((reference) => !graph.has(partialKey(reference)));
  }
  return graph;
}

/** The variables of a template with those of all it takes in. */
export function mergeVariables(template: Pick<Analysis, 'variables' | 'partials'>, graph: PartialGraph): TemplateVariable[] {
  // Each partial is gone through once, however many ways lead to it. One that is being gone through is a circle, and adds nothing.
  const known = new Map<string, ReadonlyMap<string, boolean>>();

  function needsOf({ variables, partials }: Pick<Analysis, 'variables' | 'partials'>): ReadonlyMap<string, boolean> {
    const needs = new Map<string, boolean>();
    const add = (name: string, required: boolean) => needs.set(name, (needs.get(name) ?? false) || required);
    for (const { name, required } of variables) add(name, required);
    for (const reference of partials) {
      const bound = new Set(reference.bound);
      for (const [name, required] of visit(partialKey(reference))) if (!bound.has(name)) add(name, required && !reference.conditional);
    }
    return needs;
  }

  function visit(key: string): ReadonlyMap<string, boolean> {
    const partial = graph.get(key);
    const found = known.get(key);
    if (!partial || found) return found ?? new Map();
    known.set(key, new Map());
    const needs = needsOf(partial);
    known.set(key, needs);
    return needs;
  }
  return [...needsOf(template)].map(([name, required]) => ({ name, required }));
}

/** The first reference that rendering would fail on. `self` is the prompt's own name, for a circle back to it. */
export function findPartialProblem(
  references: PartialReference[],
  graph: PartialGraph,
  self: string | undefined,
): PartialProblem | undefined {
  if (graph.size > maxPartials && references[0]) return { kind: 'too_many', reference: references[0] };
  // How many levels each sound partial is high: it is gone through once, however many ways lead to it.
  const heights = new Map<string, number>();
  const path = new Set<string>();

  function visit(reference: PartialReference): PartialProblem | undefined {
    const key = partialKey(reference);
    if (path.has(key) || reference.name === self) return { kind: 'circular', reference };
    if (path.size + (heights.get(key) ?? 1) > maxDepth) return { kind: 'too_deep', reference };
    if (heights.has(key)) return undefined;
    const partial = graph.get(key);
    if (!partial) return { kind: 'missing', reference };
    if (partial.type !== 'text') return { kind: 'not_text', reference };
    path.add(key);
    const problem = firstOf(partial.partials, visit);
    path.delete(key);
    heights.set(key, 1 + Math.max(0, ...partial.partials.map((inner) => heights.get(partialKey(inner)) ?? 0)));
    return problem;
  }
  return firstOf(references, visit);
}

export function describeProblem({ kind, reference: { name, label } }: PartialProblem): string {
  switch (kind) {
    case 'missing':
      return `There is no prompt "${name}" with the label "${label}"`;
    case 'circular':
      return `The prompt "${name}" takes itself in`;
    case 'too_deep':
      return `The prompts take each other in more than ${maxDepth} levels deep`;
    case 'too_many':
      return `The prompt takes in more than ${maxPartials} others`;
    case 'not_text':
      return `"${name}" is a chat prompt and cannot be taken in`;
  }
}

function toPartial({ type, content, variables, partials }: LabeledVersion): Partial {
  const parsed = parseStoredContent(type, content);
  return {
    type,
    text: parsed.type === 'text' ? parsed.template : '',
    // Written by this service from an Analysis.
    variables: JSON.parse(variables) as TemplateVariable[],
    partials: JSON.parse(partials) as PartialReference[],
  };
}

function namesByLabel(references: PartialReference[]): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>();
  for (const { name, label } of references) names.set(label, (names.get(label) ?? new Set()).add(name));
  return names;
}

function firstOf<T, R>(items: T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const result = find(item);
    if (result !== undefined) return result;
  }
  return undefined;
}
