import type { Template } from 'liquidjs';
import type { Variable } from '../../contract/variables.ts';
import { Budget, type BudgetLimits } from './budget.ts';
import { isBudgetExceeded, liquid, renderTemplate } from './liquid.ts';
import { fillMissing } from './missing.ts';
import { outputTooLong, toTemplateError } from './template-errors.ts';
import type { RenderResult, TemplateError, TemplateTexts } from './template-types.ts';

/**
 * The limits of a render. They allow about a quarter of a second of work, and text that takes only a fraction of a child process's heap.
 */
export const renderLimits: BudgetLimits = { units: 10_000_000, stepCost: 50 };
const maxOutputCharacters = 4 * 1024 * 1024;

/** Templates that can be rendered many times, or the reason why they cannot be parsed. */
export type ParsedTexts = { ok: true; sources: ParsedSource[] } | { ok: false; error: TemplateError };

interface ParsedSource {
  path: string;
  /** Renders a template. Throws BudgetExceeded, which LiquidJS may have wrapped. */
  render(values: RenderValues): string;
}

export interface RenderValues {
  variables: Record<string, unknown>;
  /** The variables without a value, whose names a preview shows. Only Liquid supports this. */
  missing?: Variable[] | undefined;
  budget: Budget;
}

/** Renders Liquid templates within the limits of every render. The client uses this function too, so that both produce the same result. */
export function renderTexts(
  { variables, ...texts }: Omit<TemplateTexts, 'syntax'> & Pick<RenderValues, 'variables'>,
  parse: (text: string) => Template[],
): RenderResult {
  return renderParsed(parseLiquid(texts, parse), { variables, budget: new Budget(renderLimits) });
}

export function parseLiquid(
  { sources, partials }: Omit<TemplateTexts, 'syntax'>,
  parse: (text: string) => Template[] = (text) => liquid.parse(text),
): ParsedTexts {
  const included = new Map<string, Template[]>();
  const parsed: ParsedSource[] = [];
  let path = '';
  try {
    for (const [key, text] of Object.entries(partials)) {
      path = `/partials/${key}`;
      included.set(key, parse(text));
    }
    for (const source of sources) {
      path = source.path;
      const templates = parse(source.text);
      const render = ({ variables, missing, budget }: RenderValues) =>
        renderTemplate({ templates, partials: included, variables: fillMissing(variables, missing), budget });
      parsed.push({ path, render });
    }
    return { ok: true, sources: parsed };
  } catch (err) {
    return { ok: false, error: toTemplateError(err, path) };
  }
}

/** Renders each source, within the limit for the whole output. */
export function renderParsed(parsed: ParsedTexts, values: RenderValues): RenderResult {
  if (!parsed.ok) return parsed;
  const texts: string[] = [];
  let length = 0;
  for (const { path, render } of parsed.sources) {
    try {
      const text = render(values);
      texts.push(text);
      length += text.length;
    } catch (err) {
      return { ok: false, error: toTemplateError(err, path), ...(isBudgetExceeded(err) && { isTooCostly: true }) };
    }
    if (length > maxOutputCharacters) return { ok: false, error: { path, message: outputTooLong, line: 1, column: 1 } };
  }
  return { ok: true, texts };
}
