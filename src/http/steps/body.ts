import secureJson from 'secure-json-parse';
import { AppError } from '../../errors.ts';

const maxDepth = 500;
/** Parsing takes time by the number of values rather than by their size. */
const maxValues = 50_000;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses a JSON body. Rejects invalid UTF-8 instead of replacing it, and keys that could pollute a prototype. */
export function parseJson(body: Buffer): unknown {
  // A chunked body may turn out empty; validation rejects it where a body is required.
  if (body.length === 0) return undefined;
  return parseJsonText(decode(body));
}

/** The same for a text that is itself part of a body, with the same limits. */
export function parseJsonText(text: string): unknown {
  assertParsable(text);
  try {
    return secureJson.parse(text, null, { protoAction: 'error', constructorAction: 'error' });
  } catch (err) {
    if (isJson(text))
      throw new AppError('invalid_json', { text: 'The body has a property that is not allowed, such as __proto__', cause: err });
    throw new AppError('invalid_json', { cause: err });
  }
}

function decode(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch (err) {
    throw new AppError('invalid_json', { text: 'The body is not valid UTF-8', cause: err });
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Checked before parsing, because parsing itself would block all other requests, and code that later recurses through a deeply nested
 * value would overflow the stack.
 */
function assertParsable(text: string): void {
  let depth = 0;
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      index = endOfString(text, index);
    } else if (code === openBrace || code === openBracket) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) throw new AppError('invalid_json', { text: `The body is nested more than ${maxDepth} levels deep` });
    } else if (code === closeBrace || code === closeBracket) {
      depth -= 1;
    } else if (code === comma) {
      values += 1;
      if (values > maxValues) throw new AppError('invalid_json', { text: 'The body has more than 50,000 values; send fewer at a time' });
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
