import { Budget, type BudgetLimits } from './budget.ts';
import { renderTemplate } from './liquid.ts';
import { fillMissing } from './missing.ts';
import { outputTooLong, type ParsedTemplate, toTemplateError } from './parse.ts';
import type { RenderJob, RenderResult, Source, TemplateError } from './template-types.ts';

/** About a quarter of a second of work, and text that fits into the heap of a child process several times. */
export const renderLimits: BudgetLimits = { units: 10_000_000, stepCost: 50 };
const maxOutputCharacters = 4 * 1024 * 1024;

/** Renders Liquid templates within the limits that hold for every render. The client uses it too, so both have the same result. */
export function renderTexts(
  { sources, partials, variables: given, missing }: Pick<RenderJob, 'sources' | 'partials' | 'variables' | 'missing'>,
  parse: (text: string) => ParsedTemplate,
  budget = new Budget(renderLimits),
): RenderResult {
  const variables = fillMissing(given, missing);
  const parsed = new Map<string, ParsedTemplate['templates']>();
  for (const [key, text] of Object.entries(partials)) {
    try {
      parsed.set(key, parse(text).templates);
    } catch (err) {
      return { ok: false, error: toTemplateError(err, `/partials/${key}`) };
    }
  }
  return renderEach(
    sources,
    ({ text }) => renderTemplate({ templates: parse(text).templates, partials: parsed, variables, budget }),
    (err, { path }) => toTemplateError(err, path),
  );
}

/** Renders each source, within the limit of all output. */
export function renderEach(
  sources: Source[],
  render: (source: Source) => string,
  toError: (err: unknown, source: Source) => TemplateError,
): RenderResult {
  const texts: string[] = [];
  let length = 0;
  for (const source of sources) {
    try {
      const text = render(source);
      texts.push(text);
      length += text.length;
      if (length > maxOutputCharacters) return { ok: false, error: { path: source.path, message: outputTooLong, line: 1, column: 1 } };
    } catch (err) {
      return { ok: false, error: toError(err, source) };
    }
  }
  return { ok: true, texts };
}
