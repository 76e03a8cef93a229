import secureJson from 'secure-json-parse';
import { AppError } from '../../errors.ts';
import { findJsonExcess, isJson } from '../../platform/json-bounds.ts';

const bounds = { maxDepth: 500, maxValues: 50_000 };
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses a JSON body. Rejects invalid UTF-8, and keys that could pollute a prototype. */
export function parseJson(body: Buffer, subject = 'The body'): unknown {
  // A chunked body may turn out to be empty. If a body is required, the validation rejects the request.
  if (body.length === 0) return undefined;
  return parseJsonText(decode(body, subject), subject);
}

/** Parses a JSON text within a body, with the same limits. Errors begin with the subject. */
export function parseJsonText(text: string, subject = 'The body'): unknown {
  assertParsable(text, subject);
  try {
    // The parser that looks for dangerous names is much slower, so it is used only if one of the names may occur.
    if (!mayPollute(text)) return JSON.parse(text);
    return secureJson.parse(text, null, { protoAction: 'error', constructorAction: 'error' });
  } catch (err) {
    if (isJson(text))
      throw new AppError('invalid_json', { text: `${subject} has a property that is not allowed, such as __proto__`, cause: err });
    throw new AppError('invalid_json', { text: `${subject} is not valid JSON`, cause: err });
  }
}

/**
 * Returns whether one of the dangerous names occurs anywhere in the text, either literally or with escapes. Also returns true if there is a
 * byte order mark, which only the slower parser ignores.
 */
function mayPollute(text: string): boolean {
  return text.includes('__proto__') || text.includes('constructor') || text.includes('\\u') || text.startsWith('\uFEFF');
}

function decode(body: Buffer, subject: string): string {
  try {
    return utf8.decode(body);
  } catch (err) {
    throw new AppError('invalid_json', { text: `${subject} is not valid UTF-8`, cause: err });
  }
}

function assertParsable(text: string, subject: string): void {
  const excess = findJsonExcess(text, bounds);
  if (excess === 'maxDepth') throw new AppError('invalid_json', { text: `${subject} is nested more than ${bounds.maxDepth} levels deep` });
  if (excess === 'maxValues') throw new AppError('invalid_json', { text: `${subject} has more than 50,000 values. Send fewer at a time.` });
}
