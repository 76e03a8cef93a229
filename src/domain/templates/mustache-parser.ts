/** A parsed part of a template: its kind, its text or name, where it starts and ends, and of a section its parts and where those end. */
type Token = [kind: string, value: string, start: number, end: number, inner?: Token[], innerEnd?: number];

export type Tokens = readonly Token[];

/**
 * Parses a template into the tokens that mustache renders. Mustache's own parser makes a token of every character and searches for the end of
 * a tag in quadratic time; this one is linear. A test compares the two. Throws an error with the position in the same words as mustache.
 */
export function parseMustache(text: string): Tokens {
  const tokens: Token[] = [];
  const sections: Token[] = [];
  const line = createLine(tokens);
  let [open, close] = ['{{', '}}'];

  for (let position = 0; position < text.length; ) {
    const found = text.indexOf(open, position);
    const start = found < 0 ? text.length : found;
    addText(text.slice(position, start), position, { tokens, line });
    if (found < 0) break;
    const tag = readTag(text, start, { open, close });
    position = tag.end;
    line.addTag(tag.kind);
    const token: Token = [tag.kind, tag.value, start, tag.end];
    tokens.push(token);
    if (tag.kind === '#' || tag.kind === '^') sections.push(token);
    else if (tag.kind === '/') assertCloses(sections.pop(), token);
    else if (tag.kind === '=') [open, close] = parseDelimiters(tag.value);
  }
  line.end();
  const unclosed = sections.pop();
  if (unclosed) throw new Error(`Unclosed section "${unclosed[1]}" at ${text.length}`);
  return nest(tokens);
}

interface Delimiters {
  open: string;
  close: string;
}

interface Tag {
  kind: string;
  value: string;
  end: number;
}

function readTag(text: string, start: number, { open, close }: Delimiters): Tag {
  const at = skipSpaces(text, start + open.length);
  const kind = tagKinds.has(text[at] ?? '') ? (text[at] ?? '') : 'name';
  const from = skipSpaces(text, kind === 'name' ? at : at + 1);
  const valueEnd = text.indexOf(kind === '{' ? `}${close}` : kind === '=' ? '=' : close, from);
  const end = valueEnd < 0 ? -1 : text.indexOf(close, kind === '{' || kind === '=' ? valueEnd + 1 : valueEnd);
  if (end < 0) throw new Error(`Unclosed tag at ${text.length}`);
  return { kind: kind === '{' ? '&' : kind, value: text.slice(from, valueEnd).trimEnd(), end: end + close.length };
}

const tagKinds = new Set(['#', '^', '/', '>', '{', '&', '=', '!']);

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] ?? '')) at += 1;
  return at;
}

/** A line on which there are only sections, comments and spaces is not rendered, so these spaces may be removed again. */
function createLine(tokens: Token[]) {
  let hasTag = false;
  let hasText = false;
  let spaces: Token[] = [];
  return {
    addTag(kind: string): void {
      hasTag = true;
      if (kind === 'name' || kind === '&') hasText = true;
    },
    addText(token: Token): void {
      tokens.push(token);
      if (/\S/.test(token[1])) hasText = true;
      else spaces.push(token);
    },
    end(): void {
      if (hasTag && !hasText) for (const token of spaces) token[1] = '';
      hasTag = false;
      hasText = false;
      spaces = [];
    },
  };
}

/** Only the first and the last line of a text share their line with a tag. */
function addText(text: string, start: number, { tokens, line }: { tokens: Token[]; line: ReturnType<typeof createLine> }): void {
  const first = text.indexOf('\n') + 1;
  const last = text.lastIndexOf('\n') + 1;
  const add = (from: number, to: number) => to > from && line.addText(['text', text.slice(from, to), start + from, start + to]);
  if (first === 0) {
    add(0, text.length);
    return;
  }
  add(0, first);
  line.end();
  if (last > first) tokens.push(['text', text.slice(first, last), start + first, start + last]);
  add(last, text.length);
}

function assertCloses(section: Token | undefined, [, name, start]: Token): void {
  if (!section) throw new Error(`Unopened section "${name}" at ${start}`);
  if (section[1] !== name) throw new Error(`Unclosed section "${section[1]}" at ${start}`);
}

function parseDelimiters(value: string): [string, string] {
  const [open = '', close = '', ...rest] = value.split(/\s+/, 3);
  if (open === '' || close === '' || rest.length > 0) throw new Error(`Invalid tags: ${value}`);
  return [open, close];
}

/** Puts the parts of sections into their tokens, and leaves out what is empty. */
function nest(tokens: Token[]): Token[] {
  const nested: Token[] = [];
  const open: { section: Token; parts: Token[] }[] = [];
  for (const token of tokens) {
    const [kind, value, start] = token;
    const parts = open.at(-1)?.parts ?? nested;
    if (kind === '#' || kind === '^') {
      const inner: Token[] = [];
      token[4] = inner;
      parts.push(token);
      open.push({ section: token, parts: inner });
    } else if (kind === '/') {
      const closed = open.pop();
      if (closed) closed.section[5] = start;
    } else if (kind !== 'text' || value !== '') parts.push(token);
  }
  return nested;
}
