/** Escaped markup. Markup is a class, so that no value parsed from JSON can pass as markup. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

export type Content = string | number | Html | false | undefined | readonly Content[];

/** Builds markup from a template. Every value is escaped unless it is already `Html`. */
export function html(strings: TemplateStringsArray, ...values: Content[]): Html {
  return new Html(strings.map((text, index) => text + markupOf(values[index])).join(''));
}

function markupOf(value: Content): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.markup;
  if (Array.isArray(value)) return value.map(markupOf).join('');
  return escapeHtml(String(value));
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
