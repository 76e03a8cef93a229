import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Template } from 'liquidjs';
import { LRUCache } from 'lru-cache';
import type { TemplateSyntax, Variable } from '../../contract/versions.ts';
import { Budget, type BudgetLimits, isPlainObject } from './budget.ts';
import { isBudgetExceeded, renderTemplate } from './liquid.ts';
import { fillMissing } from './missing.ts';
import { analyzeMustache, renderMustache } from './mustache.ts';
import { parseMustache, type Tokens } from './mustache-parser.ts';
import { type ParsedTemplate, parseTemplate, toTemplateError } from './parse.ts';
import { analyze } from './template-jobs.ts';
import type { AnalyzeResult, CheckJob, CheckJobResult, RenderResult, Source, TemplateTexts } from './template-types.ts';
import { checkText, countSteps } from './text-checks.ts';

/** About two milliseconds of work in the worst case. A render that needs more starts again in a child process. */
const budgetLimits: BudgetLimits = { units: 200_000, stepCost: 100 };
/** What one workspace may use in one turn of the event loop: a hundred ordinary jobs, or a few costly ones. */
const unitsPerTurn = 500_000;
/** The least that an analysis or a check counts, because its caller does more than that. */
const minUnits = 5000;
/** Characters that are compared or read in the time of one unit. */
const stepsPerUnit = 10;
/** Variables with more than this are left to a child process, because even one pass over them takes a while. */
const maxVariables = { values: 2000, characters: 200_000 };
/** What is parsed for one request: about two milliseconds in the worst case. The text between the tags costs next to nothing. */
const maxParsing = { characters: 64 * 1024, tags: 150, tagCharacters: 3000 };
const maxCachedCharacters = 8 * 1024 * 1024;

/**
 * Runs ordinary jobs on the main thread, without the cost of sending them to a child process and back. Each function returns undefined
 * for a job that might take long. Workspaces have equal shares of the main thread, so callers need no pauses between many jobs.
 */
export interface MainThreadJobs {
  analyze(workspaceId: string, sources: Source[], syntax: TemplateSyntax): AnalyzeResult | undefined;
  /** Parses templates, so that they can be rendered many times. */
  prepare(templates: TemplateTexts): ParsedTemplates | undefined;
  /** Whether the workspace may run a job in this turn of the event loop, or has used its share. */
  hasShare(workspaceId: string): boolean;
  /** Runs a job as soon as the workspace has a share. The requests of others run before. */
  inShare<T>(workspaceId: string, job: () => T): Promise<T>;
  render(workspaceId: string, parsed: ParsedTemplates, variables: Record<string, unknown>, missing?: Variable[]): RenderResult | undefined;
  check(workspaceId: string, job: Omit<CheckJob, 'kind'>): CheckJobResult | undefined;
}

/** Bounded templates and all that they include. */
export type ParsedTemplates = ParsedLiquid | ParsedMustache;

interface ParsedLiquid {
  sources: { path: string; templates: Template[] }[];
  partials: ReadonlyMap<string, Template[]>;
}

/** Every step of mustache is charged to the budget, so all its templates are bounded. */
interface ParsedMustache {
  mustache: Tokens[];
}

export function createMainThreadJobs(): MainThreadJobs {
  // By digest, because V8 hashes long texts by their length alone.
  const cache = new LRUCache<string, ParsedTemplate>({ maxSize: maxCachedCharacters });
  /** By workspace, in this turn of the event loop. */
  const usedUnits = new Map<string, number>();
  let turnEnd = Promise.resolve();

  function hasShare(workspaceId: string): boolean {
    return (usedUnits.get(workspaceId) ?? 0) < unitsPerTurn;
  }

  function countUnits(workspaceId: string, units: number): void {
    if (usedUnits.size === 0) turnEnd = nextTurn().then(() => usedUnits.clear());
    usedUnits.set(workspaceId, (usedUnits.get(workspaceId) ?? 0) + units);
  }

  /** Returns the templates, parsed now or before, or undefined if parsing them all would take too long. */
  function parseAll(texts: string[]): ParsedTemplate[] | undefined {
    const digests = texts.map((text) => hash('sha256', text, 'base64'));
    const missing = texts.filter((_, index) => !cache.has(digests[index] ?? ''));
    if (estimateParsing(missing, 'liquid') === undefined) return undefined;
    return texts.map((text, index) => {
      const digest = digests[index] ?? '';
      const cached = cache.get(digest);
      if (cached) return cached;
      const parsed = parseTemplate(text);
      // A parsed tag takes far more memory than its text.
      cache.set(digest, parsed, { size: text.length + 50 * measureTags(text).tagCharacters + 100 });
      return parsed;
    });
  }

  return {
    hasShare,

    async inShare(workspaceId, job) {
      while (!hasShare(workspaceId)) await turnEnd;
      return job();
    },

    analyze(workspaceId, sources, syntax) {
      const units = estimateParsing(sources.map(textOf), syntax);
      if (units === undefined) return undefined;
      countUnits(workspaceId, minUnits + units);
      return syntax === 'mustache' ? analyzeMustache(sources) : analyze(sources, parseTemplate);
    },

    prepare({ syntax, sources, partials }) {
      if (syntax === 'mustache') return prepareMustache(sources);
      let parsed: ParsedTemplate[] | undefined;
      try {
        parsed = parseAll([...sources.map(textOf), ...Object.values(partials)]);
      } catch {
        // A template that was saved when LiquidJS still accepted it. The child process describes the error.
      }
      if (!parsed?.every(({ cost }) => cost === 'bounded')) return undefined;
      const templatesAt = (index: number) => parsed[index]?.templates ?? [];
      return {
        sources: sources.map(({ path }, index) => ({ path, templates: templatesAt(index) })),
        partials: new Map(Object.keys(partials).map((key, index) => [key, templatesAt(sources.length + index)])),
      };
    },

    render(workspaceId, parsed, variables, missing) {
      if (!isSmall(variables)) return undefined;
      const budget = new Budget(budgetLimits);
      let path = '';
      try {
        if ('mustache' in parsed) {
          return { ok: true, texts: parsed.mustache.map((tokens) => renderMustache(tokens, variables, budget)) };
        }
        const { sources, partials } = parsed;
        const filled = fillMissing(variables, missing);
        const texts = sources.map((source) => {
          path = source.path;
          return renderTemplate({ templates: source.templates, partials, variables: filled, budget });
        });
        return { ok: true, texts };
      } catch (err) {
        return isBudgetExceeded(err) ? undefined : { ok: false, error: toTemplateError(err, path) };
      } finally {
        countUnits(workspaceId, budget.used);
      }
    },

    check(workspaceId, { rule, text = '' }) {
      if (rule.kind === 'matches' || rule.kind === 'jsonSchema') return undefined;
      const units = countSteps(rule, text) / stepsPerUnit;
      if (units > budgetLimits.units) return undefined;
      countUnits(workspaceId, minUnits + units);
      return checkText(rule, text);
    },
  };
}

function textOf({ text }: Source): string {
  return text;
}

function prepareMustache(sources: Source[]): ParsedMustache | undefined {
  if (estimateParsing(sources.map(textOf), 'mustache') === undefined) return undefined;
  try {
    return { mustache: sources.map(({ text }) => parseMustache(text)) };
  } catch {
    // The child process describes the error.
    return undefined;
  }
}

/** How many units parsing takes. Undefined if it might take long. */
function estimateParsing(texts: string[], syntax: TemplateSyntax): number | undefined {
  // With delimiters of its own, it has more tags than are counted here.
  if (syntax === 'mustache' && texts.some((text) => text.includes('{{='))) return undefined;
  let characters = 0;
  let tags = 0;
  let tagCharacters = 0;
  for (const text of texts) {
    characters += text.length;
    if (characters > maxParsing.characters) return undefined;
    const measured = measureTags(text);
    tags += measured.tags;
    tagCharacters += measured.tagCharacters;
    if (tags > maxParsing.tags || tagCharacters > maxParsing.tagCharacters) return undefined;
  }
  const share = Math.max(characters / maxParsing.characters, tags / maxParsing.tags, tagCharacters / maxParsing.tagCharacters);
  return share * budgetLimits.units;
}

/** The number of tags and outputs in a template, and how long they are together. */
function measureTags(text: string): { tags: number; tagCharacters: number } {
  let tags = 0;
  let tagCharacters = 0;
  for (let start = findTag(text, 0); start >= 0; ) {
    const end = text[start + 1] === '{' ? findOutputEnd(text, start + 2) : findEnd(text, '%}', start + 2);
    tags += 1;
    tagCharacters += end - start;
    start = findTag(text, end);
  }
  return { tags, tagCharacters };
}

/** As LiquidJS reads it: braces inside of quotes do not end an output. */
function findOutputEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '}' && text[at + 1] === '}') return at + 2;
    if (character !== '"' && character !== "'") continue;
    for (at += 1; at < text.length && text[at] !== character; at += 1) if (text[at] === '\\') at += 1;
  }
  return text.length;
}

function findEnd(text: string, delimiter: string, from: number): number {
  const at = text.indexOf(delimiter, from);
  return at < 0 ? text.length : at + delimiter.length;
}

function findTag(text: string, from: number): number {
  for (let start = text.indexOf('{', from); start >= 0; start = text.indexOf('{', start + 1)) {
    const next = text[start + 1];
    if (next === '{' || next === '%') return start;
  }
  return -1;
}

function isSmall(variables: unknown): boolean {
  let values = 0;
  let characters = 0;

  function measure(value: unknown): boolean {
    values += 1;
    if (typeof value === 'string') characters += value.length;
    if (values > maxVariables.values || characters > maxVariables.characters) return false;
    if (Array.isArray(value)) return value.every(measure);
    if (!isPlainObject(value)) return true;
    for (const key in value) {
      characters += key.length;
      if (!measure(value[key])) return false;
    }
    return true;
  }
  return measure(variables);
}
