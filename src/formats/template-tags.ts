/** A tag of a template. */
export interface TemplateTag {
  /** How it begins: `{{`, `{{{`, `{%` or `{#`. */
  open: string;
  /** What is between its delimiters, without spaces around. */
  body: string;
  /** All of it, as it is written. */
  source: string;
  start: number;
  end: number;
  /** False if the text ends before the tag does. */
  isClosed: boolean;
}

const closings: Record<string, string> = { '{{{': '}}}', '{{!--': '--}}', '{{': '}}', '{%': '%}', '{#': '#}' };

/** All tags that begin in one of these ways, in order. Longer ones come first in `opens`. In linear time. */
export function listTemplateTags(text: string, opens: string[]): TemplateTag[] {
  const tags: TemplateTag[] = [];
  for (let start = text.indexOf('{'); start >= 0; ) {
    const open = opens.find((candidate) => text.startsWith(candidate, start));
    if (open === undefined) {
      start = text.indexOf('{', start + 1);
      continue;
    }
    const closing = closings[open] ?? '}}';
    const closed = text.indexOf(closing, start + open.length);
    const end = closed < 0 ? text.length : closed + closing.length;
    const body = text.slice(start + open.length, closed < 0 ? text.length : closed).trim();
    tags.push({ open, body, source: text.slice(start, end), start, end, isClosed: closed >= 0 });
    start = text.indexOf('{', end);
  }
  return tags;
}
