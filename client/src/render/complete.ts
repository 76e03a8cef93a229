import { isPortable, replaceIncludes } from '../../../src/contract/composition.ts';
import { maxTemplateVariables } from '../../../src/contract/limits.ts';
import { ComposedTooLong, createComposer, toLiquid } from '../../../src/domain/prompts/includes/compose.ts';
import {
  type IncludedPrompt as GraphPrompt,
  type IncludeGraph,
  maxAnalysisCharacters,
  maxDepth,
  maxIncludes,
  maxTextCharacters,
} from '../../../src/domain/prompts/includes/include-graph.ts';
import { findIncludeProblem, unresolvedInclude } from '../../../src/domain/prompts/includes/include-problems.ts';
import { createVariableMerger } from '../../../src/domain/prompts/includes/merge-variables.ts';
import { type Content, placeholdersOf, sourcesOf } from '../../../src/domain/prompts/render/rendered.ts';
import { createCollector } from '../../../src/domain/templates/analysis.ts';
import { Budget } from '../../../src/domain/templates/budget.ts';
import { liquid } from '../../../src/domain/templates/liquid.ts';
import { analyzeMustache, listIncludes, parseMustacheTexts } from '../../../src/domain/templates/mustache.ts';
import { type ParsedTexts, parseLiquid, renderLimits, renderParsed, renderTexts } from '../../../src/domain/templates/render-texts.ts';
import { type Analysis, type IncludeReference, includeKey } from '../../../src/domain/templates/template-types.ts';
import { createTextCache } from './cache.ts';
import type { CompleteEngine, FindIncluded, IncludedPrompt, Prepared } from './complete-engine.ts';

type Analyzed = Pick<Analysis, 'variables' | 'partials'>;

const parse = createTextCache((text) => liquid.parse(text));

/** Renders everything as the service does: Liquid and mustache, with the same includes, filters, limits and errors. */
export const complete: CompleteEngine = {
  findIncludes: (text) => analyzeLiquid([text])?.partials.map(({ name, label }) => ({ name, label })),

  render: (input) => renderTexts(input, parse),

  findVariables: (content) => analyze(content).variables,

  findForeignIncludes: (content) => listIncludes(sourcesOf(content).map(({ text }) => text)).map(({ name, label }) => ({ name, label })),

  prepare({ name, content, variableCount }, findIncluded): Prepared {
    const analysis = analyze(content);
    const graph = collectIncluded(analysis.partials, findIncluded);
    if (!graph.exceeded && hasTooManyVariables(analysis, graph, variableCount))
      return { problem: unresolvedInclude({ kind: 'too_many_variables' }) };
    const problem = findIncludeProblem(analysis.partials, graph, { self: name, syntax: content.syntax });
    if (problem) return { problem: unresolvedInclude(problem) };
    const parsed = parseContent(content, graph);
    if (!parsed) return { problem: unresolvedInclude({ kind: 'too_long' }) };
    return { render: (variables) => renderParsed(parsed, { variables, budget: new Budget(renderLimits) }) };
  },
};

/**
 * Returns whether a version has too many variables. The service lists only up to the maximum number of variables. Therefore only a version
 * with exactly this number of listed variables may have more.
 */
function hasTooManyVariables(analysis: Analyzed, graph: IncludeGraph, variableCount: number): boolean {
  return variableCount >= maxTemplateVariables && createVariableMerger(graph)(analysis).length > maxTemplateVariables;
}

/** Returns undefined if the composed text is too long. */
function parseContent(content: Content, graph: IncludeGraph): ParsedTexts | undefined {
  const sources = sourcesOf(content);
  if (content.syntax === 'liquid') {
    const partials = Object.fromEntries([...graph.partials].map(([key, partial]) => [key, toLiquid(partial)]));
    return parseLiquid({ sources, partials }, parse);
  }
  try {
    const compose = createComposer(graph);
    return parseMustacheTexts(sources.map(({ path, text }) => ({ path, text: compose({ text, syntax: content.syntax }) })));
  } catch (err) {
    if (err instanceof ComposedTooLong) return undefined;
    throw err;
  }
}

/** Collects all prompts that the references lead to, level by level and within the limits of the service. */
function collectIncluded(references: IncludeReference[], findIncluded: FindIncluded): IncludeGraph {
  const partials = new Map<string, GraphPrompt>();
  const requested = new Set<string>();
  let textCharacters = 0;
  let analysisCharacters = 0;
  let pending = references;
  for (let depth = 0; depth < maxDepth && pending.length > 0; depth += 1) {
    const fresh = pending.filter((reference) => !requested.has(includeKey(reference)) && requested.add(includeKey(reference)));
    if (requested.size > maxIncludes) return { partials, exceeded: 'too_many' };
    pending = [];
    for (const reference of fresh) {
      const included = findIncluded(reference);
      if (!included) continue;
      const partial = toGraphPrompt(included);
      partials.set(includeKey(reference), partial);
      textCharacters += partial.text.length;
      analysisCharacters += JSON.stringify([partial.variables, partial.partials]).length;
      pending.push(...partial.partials);
    }
    if (textCharacters > maxTextCharacters) return { partials, exceeded: 'too_long' };
    if (analysisCharacters > maxAnalysisCharacters) return { partials, exceeded: 'too_many_variables' };
  }
  return { partials };
}

function toGraphPrompt({ type, template: text, syntax = 'liquid' }: IncludedPrompt): GraphPrompt {
  // Ids and versions of included prompts matter only to the service's own bookkeeping.
  const own = { promptId: '', version: 0, type, syntax, text };
  const analysis = type === 'text' ? analyzeIncluded[syntax](text) : { variables: [], partials: [] };
  return { ...own, ...analysis, isPortable: () => isPortable(replaceIncludes(text, syntax, () => '')) };
}

/** Analyzes an included text once, because many prompts may include the same text. */
const analyzeIncluded = {
  liquid: createTextCache((template) => analyze({ type: 'text', syntax: 'liquid', template })),
  mustache: createTextCache((template) => analyze({ type: 'text', syntax: 'mustache', template })),
};

/** Analyzes content as the service did when it was saved. */
function analyze(content: Content): Analyzed {
  const sources = sourcesOf(content);
  const { variables, partials } =
    content.syntax === 'liquid'
      ? (analyzeLiquid(sources.map(({ text }) => text)) ?? { variables: [], partials: [] })
      : analyzeForeign(sources);
  const names = new Set(variables.map(({ name }) => name));
  const placeholders = placeholdersOf(content).filter((name) => !names.has(name));
  return { variables: [...variables, ...placeholders.map((name) => ({ name, required: false }))], partials };
}

/**
 * Returns undefined for a template that LiquidJS accepted when it was saved, but no longer accepts. The error is described when the
 * template is rendered.
 */
function analyzeLiquid(texts: string[]): Analyzed | undefined {
  const collector = createCollector();
  try {
    for (const text of texts) collector.add(parse(text));
    return collector.result();
  } catch {
    return undefined;
  }
}

/** Analyzes a mustache template. A template of another program may have errors, which are reported when the template is rendered. */
function analyzeForeign(sources: { path: string; text: string }[]): Analyzed {
  const result = analyzeMustache(sources);
  return result.ok ? result.analysis : { variables: [], partials: listIncludes(sources.map(({ text }) => text)) };
}
