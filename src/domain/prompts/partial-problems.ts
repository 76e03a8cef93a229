import { productionLabel } from '../../contract/label-names.ts';
import { maxTemplateVariables } from '../../contract/limits.ts';
import { type PartialReference, partialKey } from '../templates/types.ts';
import { maxDepth, maxPartials, maxTextCharacters, type PartialGraph } from './partials.ts';

/** Why an include cannot be rendered. Saving such a prompt is allowed and gives a warning. */
export type PartialProblem =
  | { kind: 'missing' | 'circular' | 'not_text'; name: string; label: string }
  | { kind: 'too_deep' | 'too_many' | 'too_long' | 'too_many_variables' };

/** The first problem that rendering would fail on. */
export function findPartialProblem(
  references: PartialReference[],
  graph: PartialGraph,
  self: string | undefined,
): PartialProblem | undefined {
  return listPartialProblems(references, graph, self)[0];
}

/** The problem of each reference that has one. `self` is the prompt's own name, to detect a cycle back to it. */
export function listPartialProblems(references: PartialReference[], graph: PartialGraph, self: string | undefined): PartialProblem[] {
  if (graph.exceeded) return [{ kind: graph.exceeded }];
  // What is known of each checked partial, so that each is visited only once.
  const checked = new Map<string, { height: number; problem: PartialProblem | undefined }>();
  const path = new Set<string>();

  /** Returns the number of levels from this partial down, itself included, and its first problem. */
  function check(reference: PartialReference): { height: number; problem: PartialProblem | undefined } {
    const { name, label } = reference;
    const key = partialKey(reference);
    if (path.has(key) || name === self) return { height: 1, problem: { kind: 'circular', name, label } };
    const known = checked.get(key) ?? checkPartial(key, { name, label });
    checked.set(key, known);
    return path.size + known.height > maxDepth ? { ...known, problem: known.problem ?? { kind: 'too_deep' } } : known;
  }

  function checkPartial(key: string, reference: { name: string; label: string }): { height: number; problem: PartialProblem | undefined } {
    const partial = graph.partials.get(key);
    if (!partial) return { height: 1, problem: path.size < maxDepth ? { kind: 'missing', ...reference } : { kind: 'too_deep' } };
    if (partial.type !== 'text') return { height: 1, problem: { kind: 'not_text', ...reference } };
    path.add(key);
    let height = 0;
    let problem: PartialProblem | undefined;
    for (const inner of partial.partials) {
      const result = check(inner);
      height = Math.max(height, result.height);
      problem ??= result.problem;
    }
    path.delete(key);
    return { height: height + 1, problem };
  }
  return references.flatMap((reference) => check(reference).problem ?? []);
}

/** The include that the problem is about, if it is about one. */
export function nameProblem(problem: PartialProblem): string[] {
  if (!('name' in problem)) return [];
  return [problem.label === productionLabel ? problem.name : `${problem.name} (${problem.label})`];
}

export function describeProblem(problem: PartialProblem): string {
  switch (problem.kind) {
    case 'missing':
      return `There is no prompt "${problem.name}" with the label "${problem.label}"`;
    case 'circular':
      return `The prompt "${problem.name}" includes itself`;
    case 'not_text':
      return `"${problem.name}" is a chat prompt and cannot be included`;
    case 'too_deep':
      return `Prompts are included more than ${maxDepth} levels deep`;
    case 'too_many':
      return `The prompt and those it includes include more than ${maxPartials} others`;
    case 'too_long':
      return `The prompts that are included have more than ${maxTextCharacters.toLocaleString('en-US')} characters together`;
    case 'too_many_variables':
      return `The prompt and those it includes use more than ${maxTemplateVariables} variables`;
  }
}
