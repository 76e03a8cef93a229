import { tryTo } from './try-to.ts';

/** The limits of a JSON text, in addition to its length. */
interface JsonBounds {
  maxDepth: number;
  /** The maximum number of values. The time to parse text depends more on this number than on the size of the values. */
  maxValues: number;
}

/**
 * Finds the bound that a JSON text exceeds. Run this check before parsing: parsing a large text blocks all other requests, and code that
 * later recurses through a deeply nested value could overflow the stack.
 */
export function findJsonExcess(text: string, { maxDepth, maxValues }: JsonBounds): keyof JsonBounds | undefined {
  // A shorter text cannot exceed a limit, because each level and each value takes at least one character.
  if (text.length < Math.min(maxDepth, maxValues)) return undefined;
  let depth = 0;
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      index = endOfString(text, index);
    } else if (code === openBrace || code === openBracket) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) return 'maxDepth';
    } else if (code === closeBrace || code === closeBracket) {
      depth -= 1;
    } else if (code === comma) {
      values += 1;
    } else continue;
    if (values > maxValues) return 'maxValues';
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

export function isJson(text: string): boolean {
  return tryTo((): unknown => JSON.parse(text)) !== undefined;
}

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
