import type { ReactNode } from 'react';

const maxColored = 100_000;
/** Matches a string (with the colon that follows it if it is a key), a number, or a keyword. */
const token = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;

/** Shows JSON with its strings, keys and numbers in color. */
export function JsonText({ text }: { text: string }) {
  if (text.length > maxColored) return text;
  const parts: ReactNode[] = [];
  let last = 0;
  for (const match of text.matchAll(token)) {
    const [whole, string, colon] = match;
    parts.push(text.slice(last, match.index));
    parts.push(
      <span key={match.index} className={colorOf(string, colon)}>
        {string ?? whole}
      </span>,
    );
    last = match.index + (string ?? whole).length;
  }
  return [...parts, text.slice(last)];
}

function colorOf(string: string | undefined, colon: string | undefined): string {
  if (string === undefined) return 'text-[var(--syntax-number)]';
  return colon === undefined ? 'text-[var(--syntax-string)]' : 'text-[var(--syntax-tag)]';
}

const maxFormatted = 500_000;

/** Returns the text as indented JSON, if it is an object or a list and not too long. */
export function formatIfJson(text: string): string | undefined {
  const trimmed = text.trim();
  if (!/^[{[]/.test(trimmed) || trimmed.length > maxFormatted) return undefined;
  try {
    return JSON.stringify(JSON.parse(trimmed), null, 2);
  } catch {
    return undefined;
  }
}
