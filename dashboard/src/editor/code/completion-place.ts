/** The place at the cursor, which determines the suggestions. */
export interface Place {
  kind: 'tag' | 'filter' | 'variable' | 'prompt' | 'label';
  /** The text that the user has typed so far. */
  text: string;
  /** The path before the last dot, if a field of a variable is completed. */
  object?: string;
  /** The opening quote, if a name or label is completed. */
  quote?: string;
  /** The name of the prompt, if a label is completed. */
  prompt?: string;
}

/** Reads the text before the cursor. Returns undefined outside tags and outputs, and where any text is allowed. */
export function findPlace(before: string): Place | undefined {
  const start = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'));
  if (start === -1) return undefined;
  const isTag = before[start + 1] === '%';
  const inside = before.slice(start + 2).replace(/^-/, '');
  if (inside.includes(isTag ? '%}' : '}}')) return undefined;

  const quoteAt = findOpenQuote(inside);
  if (quoteAt !== undefined) return isTag ? findQuoted(inside, quoteAt) : undefined;

  const [text = ''] = /[\w#]*$/.exec(inside) ?? [];
  const head = inside.slice(0, inside.length - text.length);
  if (isTag && head.trim() === '') return { kind: 'tag', text };
  if (/\|\s*$/.test(head)) return { kind: 'filter', text };
  // The cursor is at a new name, at a prompt's name without its quote, or in a comment.
  if (isTag && /^\s*(?:(?:assign|capture|increment|decrement|for|tablerow)\s+$|render\b(?!.*:\s*$)|#|end)/s.test(head)) return undefined;
  const path = /([A-Za-z_][\w.]*)\.$/.exec(head)?.[1];
  return path ? { kind: 'variable', text, object: path } : { kind: 'variable', text };
}

/** Returns the position of a quote that is not closed. */
function findOpenQuote(text: string): number | undefined {
  let open: number | undefined;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (open === undefined && (char === "'" || char === '"')) open = index;
    else if (open !== undefined && char === text[open]) open = undefined;
  }
  return open;
}

function findQuoted(inside: string, quoteAt: number): Place | undefined {
  const [head, quote, text] = [inside.slice(0, quoteAt), inside.charAt(quoteAt), inside.slice(quoteAt + 1)];
  if (/^\s*render\s*$/.test(head)) return { kind: 'prompt', text, quote };
  const render = /^\s*render\s*(?:'([^']*)'|"([^"]*)").*\blabel:\s*$/s.exec(head);
  return render ? { kind: 'label', text, quote, prompt: render[1] ?? render[2] ?? '' } : undefined;
}
