import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { Liquid, LiquidError, type Template, type Token } from 'liquidjs';
import { createCollector } from './analysis.ts';
import { PartialTag, setPartials } from './partial-tag.ts';
import type { AnalyzeResult, DiffSide, Job, JobResults, RenderResult, Source, TemplateError } from './types.ts';

// These stop what a template can do within LiquidJS; the pool's time-out and memory limit stop what slips through.
const renderLimitMs = 250;
const maxOutputCharacters = 4 * 1024 * 1024;

const liquid = new Liquid({
  strictFilters: true,
  ownPropertyOnly: true,
  // No lookups anywhere: the only way to another template is our own tag.
  templates: {},
  parseLimit: 2 * 1024 * 1024,
  renderLimit: renderLimitMs,
  memoryLimit: 20_000_000,
  timezoneOffset: 0,
  locale: 'en-US',
  // An object in a prompt is of use only as JSON, and so is a list of them.
  outputEscape: (value: unknown) => (holdsObject(value) ? JSON.stringify(value) : value) as string,
});
liquid.registerTag('render', PartialTag);
for (const name of ['include', 'layout', 'block']) delete liquid.tags[name];

/** Runs in a worker. Never throws for what a template does. */
export function runJob<K extends Job['kind']>(job: Extract<Job, { kind: K }>): JobResults[K];
export function runJob(job: Job): JobResults[Job['kind']] {
  switch (job.kind) {
    case 'analyze':
      return analyze(job.sources);
    case 'render':
      return render(job);
    case 'diff':
      return diff(job.before, job.after);
  }
}

function analyze(sources: Source[]): AnalyzeResult {
  const collector = createCollector();
  const problems: TemplateError[] = [];
  for (const source of sources) {
    try {
      collector.add(liquid.parse(source.text));
    } catch (err) {
      problems.push(toTemplateError(err, source.path));
    }
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, analysis: collector.result() };
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
      if (length > maxOutputCharacters) return { ok: false, problem: { path, message: 'the text grows too long', line: 1, column: 1 } };
    }
    return { ok: true, texts };
  } catch (err) {
    return { ok: false, problem: toTemplateError(err, path) };
  }
}

function diff(before: DiffSide, after: DiffSide): string {
  if (before.text === after.text) return '';
  const options = { context: 3, timeout: 500, headerOptions: FILE_HEADERS_ONLY };
  const patch = createTwoFilesPatch(before.title, after.title, before.text, after.text, undefined, undefined, options);
  // Where the two are too different to compare in time, all of one is replaced by all of the other.
  return patch ?? `--- ${before.title}\n+++ ${after.title}\n${prefixLines('-', before.text)}\n${prefixLines('+', after.text)}\n`;
}

function prefixLines(sign: string, text: string): string {
  return text
    .split('\n')
    .map((line) => sign + line)
    .join('\n');
}

function holdsObject(value: unknown): boolean {
  return Array.isArray(value) ? value.some(holdsObject) : isPlainObject(value);
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function toTemplateError(err: unknown, path: string): TemplateError {
  if (!(err instanceof Error)) return { path, message: String(err), line: 1, column: 1 };
  // LiquidJS hides the token from its types but documents it; it knows where in the text it stands.
  const token = LiquidError.is(err) && 'token' in err ? (err.token as Token | undefined) : undefined;
  const [line = 1, column = 1] = token?.getPosition() ?? [];
  const message = err.message.replace(/(, file:.*)?, line:\d+, col:\d+$/s, '');
  return { path, message: limitTexts[message] ?? message, line, column };
}

/** What LiquidJS and the engine below it say when a template comes to a limit, and what its author can make of it. */
const limitTexts: Record<string, string> = {
  'template render limit exceeded': 'it takes too long',
  'memory alloc limit exceeded': 'it takes too much memory',
  'Invalid string length': 'the text grows too long',
  'Maximum call stack size exceeded': 'it is nested too deep',
};
