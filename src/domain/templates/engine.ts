import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { Liquid, LiquidError, type Template, type Token } from 'liquidjs';
import { createCollector } from './analysis.ts';
import { PartialTag, setPartials } from './partial-tag.ts';
import type { AnalyzeResult, Job, JobResults, RenderResult, Source, TemplateError } from './types.ts';

// LiquidJS enforces these limits; the pool's timeout and memory limit catch whatever they miss.
const renderLimitMs = 250;
const maxOutputCharacters = 4 * 1024 * 1024;

const liquid = new Liquid({
  strictFilters: true,
  ownPropertyOnly: true,
  // No file lookups: a template can include another one only with our own tag.
  templates: {},
  parseLimit: 2 * 1024 * 1024,
  renderLimit: renderLimitMs,
  memoryLimit: 20_000_000,
  timezoneOffset: 0,
  locale: 'en-US',
  // In a prompt, objects and lists of objects are useful only as JSON.
  outputEscape: (value: unknown) => (containsObject(value) ? JSON.stringify(value) : value) as string,
});
liquid.registerTag('render', PartialTag);
for (const name of ['include', 'layout', 'block']) delete liquid.tags[name];

/** Runs a job in a worker. Errors in a template are returned, not thrown. */
export function runJob<K extends Job['kind']>(job: Extract<Job, { kind: K }>): JobResults[K];
export function runJob(job: Job): JobResults[Job['kind']] {
  switch (job.kind) {
    case 'analyze':
      return analyze(job.sources);
    case 'render':
      return render(job);
    case 'diff':
      return diff(job);
  }
}

function analyze(sources: Source[]): AnalyzeResult {
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

function render({ sources, variables, partials }: Extract<Job, { kind: 'render' }>): RenderResult {
  const texts: string[] = [];
  let length = 0;
  let path = '';
  try {
    const parsed = Object.entries(partials).map(([key, text]): [string, Template[]] => {
      path = `/partials/${key}`;
      return [key, liquid.parse(text)];
    });
    setPartials(new Map(parsed));
    for (const source of sources) {
      path = source.path;
      const text: unknown = liquid.renderSync(liquid.parse(source.text), variables);
      texts.push(String(text));
      length += String(text).length;
      if (length > maxOutputCharacters) return { ok: false, error: { path, message: outputTooLong, line: 1, column: 1 } };
    }
    return { ok: true, texts };
  } catch (err) {
    return { ok: false, error: toTemplateError(err, path) };
  }
}

function diff({ before, after }: Extract<Job, { kind: 'diff' }>): string {
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

function containsObject(value: unknown): boolean {
  return Array.isArray(value) ? value.some(containsObject) : isPlainObject(value);
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function toTemplateError(err: unknown, path: string): TemplateError {
  if (!(err instanceof Error)) return { path, message: String(err), line: 1, column: 1 };
  // The token, which knows its position, is documented but missing from LiquidJS's types.
  const token = LiquidError.is(err) && 'token' in err ? (err.token as Token | undefined) : undefined;
  const [line = 1, column = 1] = token?.getPosition() ?? [];
  const message = err.message.replace(/(, file:.*)?, line:\d+, col:\d+$/s, '');
  return { path, message: limitTexts[message] ?? message, line, column };
}

const outputTooLong = 'the output is too long';

/** Translates the limit errors of LiquidJS and V8 into terms that the template's author understands. */
const limitTexts: Record<string, string> = {
  'template render limit exceeded': 'rendering takes too long',
  'memory alloc limit exceeded': 'rendering takes too much memory',
  'Invalid string length': outputTooLong,
  'Maximum call stack size exceeded': 'the template is nested too deeply',
};
