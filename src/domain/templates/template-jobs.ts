import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { TemplateSyntax } from '../../contract/versions.ts';
import { createCollector } from './analysis.ts';
import { liquid } from './liquid.ts';
import { analyzeMustache, parseMustacheTexts } from './mustache.ts';
import { PausingBudget } from './pausing-budget.ts';
import { type ParsedTexts, parseLiquid, renderLimits, renderParsed } from './render-texts.ts';
import { toTemplateError } from './template-errors.ts';
import type {
  AnalyzeResult,
  DiffJob,
  Job,
  JobResults,
  RenderJob,
  RenderResult,
  Source,
  TemplateError,
  TemplateTexts,
} from './template-types.ts';

/** Checks are not handled here but in a separate file, which is imported when needed. */
type TemplateJob = Exclude<Job, { kind: 'check' }>;

/** Runs a job. Errors in a template are returned, not thrown. */
export function runJob<K extends TemplateJob['kind']>(job: Extract<TemplateJob, { kind: K }>): JobResults[K];
export function runJob(job: TemplateJob): JobResults[TemplateJob['kind']] {
  switch (job.kind) {
    case 'analyze':
      return analyze(job.sources, job.syntax);
    case 'render':
      return render(job);
    case 'diff':
      return diff(job);
  }
}

/** Finds the variables and includes of templates, or all their errors. */
export function analyze(sources: Source[], syntax: TemplateSyntax | undefined): AnalyzeResult {
  if (syntax === 'mustache') return analyzeMustache(sources);
  const collector = createCollector();
  const errors: TemplateError[] = [];
  for (const source of sources) {
    try {
      collector.add(liquid.parse(source.text));
    } catch (err) {
      errors.push(toTemplateError(err, source.path));
    }
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, analysis: collector.result() };
}

export function parseTexts(texts: TemplateTexts): ParsedTexts {
  return texts.syntax === 'mustache' ? parseMustacheTexts(texts.sources) : parseLiquid(texts);
}

function render({ variables, missing, ...texts }: RenderJob): RenderResult {
  return renderParsed(parseTexts(texts), { variables, missing, budget: new PausingBudget(renderLimits) });
}

function diff({ before, after }: DiffJob): string {
  if (before.text === after.text) return '';
  const options = { context: 3, timeout: 500, headerOptions: FILE_HEADERS_ONLY };
  const patch = createTwoFilesPatch(before.title, after.title, before.text, after.text, undefined, undefined, options);
  // If the texts are too different to compare in time, the diff replaces all lines.
  return patch ?? `--- ${before.title}\n+++ ${after.title}\n${prefixLines('-', before.text)}\n${prefixLines('+', after.text)}\n`;
}

function prefixLines(sign: string, text: string): string {
  return text.replaceAll(/^/gm, sign);
}
