import { Budget, type BudgetLimits } from './budget.ts';
import { renderTemplate } from './liquid.ts';
import { outputTooLong, type ParsedTemplate, toTemplateError } from './parse.ts';
import type { RenderResult, TemplateTexts } from './types.ts';

/** About a quarter of a second of work, and text that fits into the heap of a child process several times. */
const budgetLimits: BudgetLimits = { units: 10_000_000, stepCost: 50 };
const maxOutputCharacters = 4 * 1024 * 1024;

/** Renders templates within the limits that hold for every render. The client uses it too, so both have the same result. */
export function renderTexts(
  { sources, partials, variables }: TemplateTexts & { variables: Record<string, unknown> },
  parse: (text: string) => ParsedTemplate,
): RenderResult {
  const texts: string[] = [];
  const budget = new Budget(budgetLimits);
  let length = 0;
  let path = '';
  try {
    const parsed = new Map(
      Object.entries(partials).map(([key, text]) => {
        path = `/partials/${key}`;
        return [key, parse(text).templates];
      }),
    );
    for (const source of sources) {
      path = source.path;
      const text = renderTemplate({ templates: parse(source.text).templates, partials: parsed, variables, budget });
      texts.push(text);
      length += text.length;
      if (length > maxOutputCharacters) return { ok: false, error: { path, message: outputTooLong, line: 1, column: 1 } };
    }
    return { ok: true, texts };
  } catch (err) {
    return { ok: false, error: toTemplateError(err, path) };
  }
}
