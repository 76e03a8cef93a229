import type { PromptType, Variable } from '../../contract/versions.ts';
import type { LabeledVersion } from '../../store/prompts/versions.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { type Analysis, type PartialReference, partialKey } from '../templates/types.ts';
import { parseStoredAnalysis, parseStoredContent } from './content.ts';

/** An included prompt, with its own variables and includes. */
interface LoadedPartial extends Pick<Analysis, 'variables' | 'partials'> {
  type: PromptType;
  text: string;
}

/** All prompts that templates include, directly or indirectly, by key. Prompts that do not exist are missing from it. */
export type PartialGraph = ReadonlyMap<string, LoadedPartial>;

/** Why an include cannot be rendered. Saving such a prompt is allowed and gives a warning. */
interface PartialProblem {
  kind: 'missing' | 'circular' | 'too_deep' | 'too_many' | 'not_text';
  reference: PartialReference;
}

const maxDepth = 8;
const maxPartials = 100;

/** Loads all prompts that the references lead to, level by level, with one query per label and level. */
export async function loadPartials(
  ctx: Context,
  { workspaceId }: Actor,
  references: PartialReference[],
  templateCount = 1,
): Promise<PartialGraph> {
  const graph = new Map<string, LoadedPartial>();
  let pending = references;
  for (let depth = 0; depth < maxDepth && pending.length > 0 && graph.size <= maxPartials * templateCount; depth += 1) {
    const found = (
      await Promise.all([...namesByLabel(pending)].map(([label, names]) => ctx.store.versions.listLabeled(workspaceId, [...names], label)))
    ).flat();
    for (const version of found) graph.set(partialKey(version), toPartial(version));
    pending = found
      .flatMap((version) => graph.get(partialKey(version))?.partials ?? [])
      .filter((reference) => !graph.has(partialKey(reference)));
  }
  return graph;
}

/** The variables of a template and of all prompts it includes. */
export function mergeVariables(template: Pick<Analysis, 'variables' | 'partials'>, graph: PartialGraph): Variable[] {
  // Each partial is visited only once, which keeps this linear. One that is still being visited is a cycle and adds nothing.
  const visited = new Map<string, ReadonlyMap<string, boolean>>();

  function collect({ variables, partials }: Pick<Analysis, 'variables' | 'partials'>): ReadonlyMap<string, boolean> {
    const collected = new Map<string, boolean>();
    const add = (name: string, required: boolean) => collected.set(name, (collected.get(name) ?? false) || required);
    for (const { name, required } of variables) add(name, required);
    for (const reference of partials) {
      const bound = new Set(reference.bound);
      for (const [name, required] of visit(partialKey(reference))) if (!bound.has(name)) add(name, required && !reference.conditional);
    }
    return collected;
  }

  function visit(key: string): ReadonlyMap<string, boolean> {
    const known = visited.get(key);
    if (known) return known;
    visited.set(key, new Map());
    const partial = graph.get(key);
    if (!partial) return new Map();
    const collected = collect(partial);
    visited.set(key, collected);
    return collected;
  }
  return [...collect(template)].map(([name, required]) => ({ name, required }));
}

/** The first include that rendering would fail on. `self` is the prompt's own name, to detect a cycle back to it. */
export function findPartialProblem(
  references: PartialReference[],
  graph: PartialGraph,
  self: string | undefined,
): PartialProblem | undefined {
  if (graph.size > maxPartials && references[0]) return { kind: 'too_many', reference: references[0] };
  // The number of levels below each checked partial, itself included, so that each is visited only once.
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
      return `The prompt "${name}" includes itself`;
    case 'too_deep':
      return `Prompts are included more than ${maxDepth} levels deep`;
    case 'too_many':
      return `The prompt includes more than ${maxPartials} others`;
    case 'not_text':
      return `"${name}" is a chat prompt and cannot be included`;
  }
}

function toPartial(version: LabeledVersion): LoadedPartial {
  const content = parseStoredContent(version.type, version.content);
  return { type: content.type, text: content.type === 'text' ? content.template : '', ...parseStoredAnalysis(version) };
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
