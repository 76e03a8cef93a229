/** A tag of a template. */
export interface TemplateTag {
  /** The opening delimiter: `{{`, `{{{`, `{%` or `{#`. */
  open: string;
  /** The text between the delimiters, without surrounding spaces. */
  body: string;
  /** The whole tag, exactly as in the template. */
  source: string;
  start: number;
  end: number;
  /** Whether the tag is complete. False if the text ends inside the tag. */
  isClosed: boolean;
}

const closings: Record<string, string> = { '{{{': '}}}', '{{!--': '--}}', '{{': '}}', '{%': '%}', '{#': '#}' };

/** Lists all tags with these opening delimiters, in order. In `opens`, longer delimiters must come first. The search takes linear time. */
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
