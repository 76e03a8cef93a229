import { maxTemplateVariables } from '../../../contract/limits.ts';
import type { Variable } from '../../../contract/variables.ts';
import type { TemplateSyntax } from '../../../contract/versions.ts';
import type { Actor } from '../../actor.ts';
import type { Analysis } from '../../templates/template-types.ts';
import { type IncludeProblem, listIncludeProblems } from './include-problems.ts';
import { loadIncludes, type VersionReader } from './load-includes.ts';
import { createVariableMerger } from './merge-variables.ts';

/** A version together with everything that it includes. */
export interface ResolvedIncludes {
  /** The variables of the version and of the prompts it includes. */
  variables: Variable[];
  /** The reasons why the version cannot be rendered. */
  problems: IncludeProblem[];
}

/** Loads the prompts that a version includes, and finds problems with them. `name` is the name of the version's own prompt. */
export async function resolveIncludes(
  stores: VersionReader,
  actor: Actor,
  { name, syntax, analysis }: { name: string; syntax: TemplateSyntax; analysis: Pick<Analysis, 'variables' | 'partials'> },
): Promise<ResolvedIncludes> {
  const graph = await loadIncludes(stores, actor, analysis.partials, { content: true });
  const variables = createVariableMerger(graph)(analysis);
  const problems = listIncludeProblems(analysis.partials, graph, { self: name, syntax });
  if (variables.length > maxTemplateVariables && !graph.exceeded) problems.push({ kind: 'too_many_variables' });
  return { variables, problems };
}
