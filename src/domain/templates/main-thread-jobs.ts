import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Variable } from '../../contract/variables.ts';
import type { TemplateSyntax } from '../../contract/versions.ts';
import { Budget, type BudgetLimits } from './budget.ts';
import { type ParsedTexts, renderParsed } from './render-texts.ts';
import { analyze, parseTexts } from './template-jobs.ts';
import type { AnalyzeResult, CheckJob, CheckJobResult, RenderResult, Source, TemplateTexts } from './template-types.ts';
import { checkText, countSteps } from './text-checks.ts';

/**
 * The budget of a render on the main thread: about two milliseconds in the worst case. A render that needs more starts again in a child
 * process.
 */
const budgetLimits: BudgetLimits = { units: 200_000, stepCost: 100 };
/**
 * The maximum number of units that one workspace may use in one turn of the event loop. This is enough for a hundred ordinary jobs or a few
 * costly jobs.
 */
const unitsPerTurn = 500_000;
/** The minimum number of units that are counted for a check and for an analysis, because their callers do additional work. */
const minUnits = { check: 20_000, analysis: 20_000 };
/** The number of characters that are compared or read in the time of one unit. */
const stepsPerUnit = 10;
/**
 * The maximum amount of text that is parsed for one request, which takes about two milliseconds in the worst case. The text between the
 * tags costs almost nothing.
 */
const maxParsing = { characters: 64 * 1024, tags: 150, tagCharacters: 3000 };

/**
 * Runs ordinary jobs on the main thread, without the cost of sending them to a child process and back. Each function returns undefined for
 * a job that might take long. Each workspace has an equal share of the main thread, so callers with many jobs need not pause between them.
 */
export function createMainThreadJobs() {
  /** The units that each workspace has used in this turn of the event loop. */
  const usedUnits = new Map<string, number>();
  let turnEnd = Promise.resolve();

  /** Returns whether the workspace may run another job in this turn of the event loop. Returns false if it has used its share. */
  function hasShare(workspaceId: string): boolean {
    return (usedUnits.get(workspaceId) ?? 0) < unitsPerTurn;
  }

  function countUnits(workspaceId: string, units: number): void {
    if (usedUnits.size === 0) turnEnd = nextTurn().then(() => usedUnits.clear());
    usedUnits.set(workspaceId, (usedUnits.get(workspaceId) ?? 0) + units);
  }

  return {
    hasShare,

    /** Runs a job as soon as the workspace has a share. Requests of other workspaces run first. */
    async inShare<T>(workspaceId: string, job: () => T): Promise<T> {
      while (!hasShare(workspaceId)) await turnEnd;
      return job();
    },

    analyze(workspaceId: string, sources: Source[], syntax: TemplateSyntax): AnalyzeResult | undefined {
      const units = estimateParsing(sources.map(textOf), syntax);
      if (units === undefined) return undefined;
      countUnits(workspaceId, minUnits.analysis + 2 * units);
      return analyze(sources, syntax);
    },

    /** Parses templates, so that they can be rendered many times. */
    prepare(texts: TemplateTexts): ParsedTexts | undefined {
      const { syntax = 'liquid', sources, partials } = texts;
      const units = estimateParsing([...sources.map(textOf), ...Object.values(partials)], syntax);
      return units === undefined ? undefined : parseTexts(texts);
    },

    render(workspaceId: string, parsed: ParsedTexts, variables: Record<string, unknown>, missing?: Variable[]): RenderResult | undefined {
      const budget = new Budget(budgetLimits);
      const result = renderParsed(parsed, { variables, missing, budget });
      countUnits(workspaceId, budget.used);
      return result.ok || !result.isTooCostly ? result : undefined;
    },

    check(workspaceId: string, { rule, text = '' }: Omit<CheckJob, 'kind'>): CheckJobResult | undefined {
      if (rule.kind === 'matches' || rule.kind === 'jsonSchema') return undefined;
      const units = countSteps(rule, text) / stepsPerUnit;
      if (units > budgetLimits.units) return undefined;
      countUnits(workspaceId, minUnits.check + units);
      return checkText(rule, text);
    },
  };
}

function textOf({ text }: Source): string {
  return text;
}

/** Estimates the number of units that parsing takes. Returns undefined if parsing might take long. */
function estimateParsing(texts: string[], syntax: TemplateSyntax): number | undefined {
  // A template that changes its delimiters has more tags than are counted here.
  if (syntax === 'mustache' && texts.some((text) => text.includes('{{='))) return undefined;
  const characters = sumLengths(texts) / maxParsing.characters;
  if (characters > 1) return undefined;
  const tags = texts.flatMap((text) => text.match(tagPattern) ?? []);
  const share = Math.max(characters, tags.length / maxParsing.tags, sumLengths(tags) / maxParsing.tagCharacters);
  return share > 1 ? undefined : share * budgetLimits.units;
}

/** Matches an output or a tag as LiquidJS reads it: braces inside quotes do not end an output. Matching takes linear time. */
const tagPattern = /\{\{(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^}"']|\}(?!\}))*|\{%.*?(?:%\}|$)/gs;

function sumLengths(texts: string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}
