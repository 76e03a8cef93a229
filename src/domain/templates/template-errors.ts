import { LiquidError, type Token } from 'liquidjs';
import { isBudgetExceeded } from './liquid.ts';
import type { TemplateError } from './template-types.ts';

/** Converts a parsing or rendering error to an error that the template's author understands. */
export function toTemplateError(err: unknown, path: string): TemplateError {
  if (!(err instanceof Error)) return { path, message: String(err), line: 1, column: 1 };
  // The error's token, which contains the position, is documented but missing from LiquidJS's types.
  const token = LiquidError.is(err) && 'token' in err ? (err.token as Token | undefined) : undefined;
  const [line = 1, column = 1] = token?.getPosition() ?? [];
  const message = err.message.replace(/(, file:.*)?, line:\d+, col:\d+$/s, '');
  return {
    path,
    message: isBudgetExceeded(err)
      ? 'rendering needs too much time or memory'
      : (limitTexts[message] ?? (token && adviseOnOtherLanguage(token)) ?? message),
    line,
    column,
  };
}

/** Explains how to write an include or section in Liquid to an author who used the form of mustache or Handlebars. */
function adviseOnOtherLanguage({ input, begin }: Token): string | undefined {
  const start = input.lastIndexOf('{{', begin);
  if (start < 0 || input.slice(start, begin).includes('}}')) return undefined;
  const [, sign, name = ''] = /^\{\{-?\s*([>#^/])\s*['"]?([^\s}'"]{0,200})/.exec(input.slice(start)) ?? [];
  if (sign === undefined) return undefined;
  if (sign === '>') return `"{{> ${name} }}" is not Liquid. Include a prompt with {% render '${name || 'name'}' %}`;
  return `"{{${sign}${name}" is not Liquid. Write {% if … %}…{% endif %} for a condition or {% for item in items %}…{% endfor %} for a list`;
}

export const outputTooLong = 'the output is too long';

const limitTexts: Record<string, string> = {
  'Invalid string length': outputTooLong,
  'Maximum call stack size exceeded': 'the template is nested too deeply',
};
