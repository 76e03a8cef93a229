import secureJson from 'secure-json-parse';
import { AppError } from '../../errors.ts';

const maxDepth = 500;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses a JSON body. Rejects invalid UTF-8 instead of replacing it, and keys that could pollute a prototype. */
export function parseJson(body: Buffer): unknown {
  // A chunked body may turn out empty; validation rejects it where a body is required.
  if (body.length === 0) return undefined;
  const text = decode(body);
  if (isTooDeep(text)) throw new AppError('invalid_json', { text: `The body is nested more than ${maxDepth} levels deep` });
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

/** Checked before parsing, because code that later recurses through such a value would overflow the stack. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') index = endOfString(text, index);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
