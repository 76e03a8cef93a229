import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { createCollector } from './analysis.ts';
import { Budget, type BudgetLimits } from './budget.ts';
import { renderTemplate } from './liquid.ts';
import { outputTooLong, type ParsedTemplate, parseTemplate, toTemplateError } from './parse.ts';
import type { AnalyzeResult, DiffJob, Job, JobResults, RenderJob, RenderResult, Source, TemplateError } from './types.ts';

/** About a quarter of a second of work, and text that fits into the heap of a child process several times. */
const childBudget: BudgetLimits = { units: 10_000_000, stepCost: 50 };
const maxOutputCharacters = 4 * 1024 * 1024;

/** Checks have a file of their own, which is loaded when it is needed. */
type TemplateJob = Exclude<Job, { kind: 'check' }>;

/** Runs a job. Errors in a template are returned, not thrown. */
export function runJob<K extends TemplateJob['kind']>(job: Extract<TemplateJob, { kind: K }>): JobResults[K];
export function runJob(job: TemplateJob): JobResults[TemplateJob['kind']] {
  switch (job.kind) {
    case 'analyze':
      return analyze(job.sources, parseTemplate);
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

function render({ sources, variables, partials }: RenderJob): RenderResult {
  const texts: string[] = [];
  const budget = new Budget(childBudget);
  let length = 0;
  let path = '';
  try {
    const parsed = new Map(
      Object.entries(partials).map(([key, text]) => {
        path = `/partials/${key}`;
        return [key, parseTemplate(text).templates];
      }),
    );
    for (const source of sources) {
      path = source.path;
      const text = renderTemplate({ templates: parseTemplate(source.text).templates, partials: parsed, variables, budget });
      texts.push(text);
      length += text.length;
      if (length > maxOutputCharacters) return { ok: false, error: { path, message: outputTooLong, line: 1, column: 1 } };
    }
    return { ok: true, texts };
  } catch (err) {
    return { ok: false, error: toTemplateError(err, path) };
  }
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
