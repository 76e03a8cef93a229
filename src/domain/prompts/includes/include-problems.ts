import { findPinnedVersion, productionLabel } from '../../../contract/label-names.ts';
import { maxTemplateVariables } from '../../../contract/limits.ts';
import type { TemplateSyntax } from '../../../contract/versions.ts';
import { AppError } from '../../../errors.ts';
import { type IncludeReference, includeKey } from '../../templates/template-types.ts';
import { type IncludeGraph, maxAnalysisCharacters, maxDepth, maxIncludes, maxTextCharacters } from './include-graph.ts';

/** The reason why an include cannot be rendered. Saving such a prompt is allowed and gives a warning. */
export type IncludeProblem =
  | { kind: 'missing' | 'circular' | 'not_text' | 'other_syntax'; name: string; label: string }
  | { kind: 'too_deep' | 'too_many' | 'too_long' | 'too_many_variables' };

/** Finds the first problem that would make rendering fail. */
export function findIncludeProblem(
  references: IncludeReference[],
  graph: IncludeGraph,
  including: IncludingPrompt,
): IncludeProblem | undefined {
  return listIncludeProblems(references, graph, including)[0];
}

interface IncludingPrompt {
  /** The prompt's own name, to detect a cycle back to it. */
  self: string | undefined;
  syntax: TemplateSyntax;
}

/** Lists the problems with references, at most one for each reference. */
export function listIncludeProblems(
  references: IncludeReference[],
  graph: IncludeGraph,
  { self, syntax: ownSyntax }: IncludingPrompt,
): IncludeProblem[] {
  if (graph.exceeded) return [{ kind: graph.exceeded }];
  // The results for the included prompts that were already checked, so that each is visited only once.
  const checked = new Map<string, { height: number; problem: IncludeProblem | undefined }>();
  const path = new Set<string>();

  /** Returns the first problem of an included prompt, and how many levels deep its includes are. The prompt itself counts as one level. */
  function check(reference: IncludeReference, syntax: TemplateSyntax): { height: number; problem: IncludeProblem | undefined } {
    const { name, label } = reference;
    const key = includeKey(reference);
    if (path.has(key) || name === self) return { height: 1, problem: { kind: 'circular', name, label } };
    const known = checked.get(key) ?? checkIncluded(key, { name, label });
    checked.set(key, known);
    const partial = graph.partials.get(key);
    if (partial && partial.syntax !== syntax && !partial.isPortable()) {
      return { ...known, problem: known.problem ?? { kind: 'other_syntax', name, label } };
    }
    return path.size + known.height > maxDepth ? { ...known, problem: known.problem ?? { kind: 'too_deep' } } : known;
  }

  function checkIncluded(key: string, reference: { name: string; label: string }): { height: number; problem: IncludeProblem | undefined } {
    const partial = graph.partials.get(key);
    if (!partial) return { height: 1, problem: path.size < maxDepth ? { kind: 'missing', ...reference } : { kind: 'too_deep' } };
    if (partial.type !== 'text') return { height: 1, problem: { kind: 'not_text', ...reference } };
    path.add(key);
    let height = 0;
    let problem: IncludeProblem | undefined;
    for (const inner of partial.partials) {
      const result = check(inner, partial.syntax);
      height = Math.max(height, result.height);
      problem ??= result.problem;
    }
    path.delete(key);
    return { height: height + 1, problem };
  }
  return references.flatMap((reference) => check(reference, ownSyntax).problem ?? []);
}

/** Creates the error for a prompt that cannot be used because of a problem. */
export function unresolvedInclude(problem: IncludeProblem): AppError {
  return new AppError('unresolved_partial', { text: describeProblem(problem), names: nameProblem(problem) });
}

/** Returns the name of the include that the problem is about, if there is one. */
function nameProblem(problem: IncludeProblem): string[] {
  if (!('name' in problem)) return [];
  return [problem.label === productionLabel ? problem.name : `${problem.name} (${problem.label})`];
}

export function describeProblem(problem: IncludeProblem): string {
  switch (problem.kind) {
    case 'missing':
      return describeMissing(problem);
    case 'circular':
      return `The prompt "${problem.name}" includes itself`;
    case 'not_text':
      return `"${problem.name}" is a chat prompt and cannot be included`;
    case 'other_syntax':
      return `"${problem.name}" is written in a different template language and uses more than plain variables, so it cannot be included`;
    case 'too_deep':
      return `Includes are nested more than ${maxDepth} levels deep`;
    case 'too_many':
      return `The prompt includes more than ${maxIncludes} other prompts, directly or indirectly`;
    case 'too_long':
      return `The included prompts have more than ${maxTextCharacters.toLocaleString('en-US')} characters in total`;
    case 'too_many_variables':
      return (
        `The prompt and its includes use more than ${maxTemplateVariables} variables, or describe them with more than ` +
        `${maxAnalysisCharacters.toLocaleString('en-US')} characters`
      );
  }
}

function describeMissing({ name, label }: { name: string; label: string }): string {
  const version = findPinnedVersion(label);
  return `There is no prompt "${name}" with ${version === undefined ? `the label "${label}"` : `the version ${version}`}`;
}
