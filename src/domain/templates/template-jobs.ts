import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { createCollector } from './analysis.ts';
import { analyzeMustache, renderMustache, toMustacheError } from './mustache.ts';
import { parseMustache } from './mustache-parser.ts';
import { type ParsedTemplate, parseTemplate, toTemplateError } from './parse.ts';
import { PausingBudget } from './pausing-budget.ts';
import { renderEach, renderLimits, renderTexts } from './render-texts.ts';
import type { AnalyzeResult, DiffJob, Job, JobResults, RenderJob, RenderResult, Source, TemplateError } from './template-types.ts';

/** Checks have a file of their own, which is loaded when it is needed. */
type TemplateJob = Exclude<Job, { kind: 'check' }>;

/** Runs a job. Errors in a template are returned, not thrown. */
export function runJob<K extends TemplateJob['kind']>(job: Extract<TemplateJob, { kind: K }>): JobResults[K];
export function runJob(job: TemplateJob): JobResults[TemplateJob['kind']] {
  switch (job.kind) {
    case 'analyze':
      return job.syntax === 'mustache' ? analyzeMustache(job.sources) : analyze(job.sources, parseTemplate);
    case 'render':
      return render(job);
    case 'diff':
      return diff(job);
  }
}

/** Finds what the templates need, or all their errors. */
export function analyze(sources: Source[], parse: (text: string) => ParsedTemplate): AnalyzeResult {
  const collector = createCollector();
  const errors: TemplateError[] = [];
  for (const source of sources) {
    try {
      collector.add(parse(source.text).templates);
    } catch (err) {
      errors.push(toTemplateError(err, source.path));
    }
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, analysis: collector.result() };
}

function render(job: RenderJob): RenderResult {
  const { syntax, sources, variables } = job;
  const budget = new PausingBudget(renderLimits);
  if (syntax !== 'mustache') return renderTexts(job, parseTemplate, budget);
  return renderEach(sources, ({ text }) => renderMustache(parseMustache(text), variables, budget), toMustacheError);
}

function diff({ before, after }: DiffJob): string {
  if (before.text === after.text) return '';
  const options = { context: 3, timeout: 500, headerOptions: FILE_HEADERS_ONLY };
  const patch = createTwoFilesPatch(before.title, after.title, before.text, after.text, undefined, undefined, options);
  // If the texts are too different to compare in time, the diff replaces all lines.
  return patch ?? `--- ${before.title}\n+++ ${after.title}\n${prefixLines('-', before.text)}\n${prefixLines('+', after.text)}\n`;
}

function prefixLines(sign: string, text: string): string {
  return text
    .split('\n')
    .map((line) => sign + line)
    .join('\n');
}
