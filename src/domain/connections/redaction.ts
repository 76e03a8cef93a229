import { randomInt } from 'node:crypto';

/** Removes a key from the responses of the server to which it was sent, because the server might repeat it. */
interface Redactor {
  redact(text: string): string;
  /** Removes the key from text that arrives in parts. */
  open(): RedactedStream;
}

export interface RedactedStream {
  /** Returns the text that can be shown. The end of the text is held back if a part of the key may begin there. */
  push(text: string): string;
  /** Returns the text that was held back. */
  end(): string;
}

const replacement = '[key]';
/**
 * The maximum number of backslashes in an escape. Real escapes have fewer. Longer runs of backslashes are not decoded, because the whole
 * run would have to be held back.
 */
const maxBackslashes = 8;
/** The base is random, so that nobody can craft texts with the same hashes as the key. */
const base = randomInt(2 ** 30) * 2 + 1;

/** The redactor for servers without a key. */
export const noRedaction: Redactor = { redact: (text) => text, open: () => ({ push: (text) => text, end: () => '' }) };

/**
 * Replaces every part of the key that has at least `minLength` characters, so that a key that was cut or wrapped is not shown either. JSON
 * escapes, such as `\/` and `\u0063`, are decoded for the comparison, even if they were escaped several times. Parts of the key are found
 * by the rolling hash of each run of exactly `minLength` characters, so the time is linear for any text.
 */
export function createRedactor(key: string, minLength: number): Redactor {
  const plainKey = key.replaceAll('\\', '');
  if (plainKey === '') return noRedaction;
  const length = Math.min(minLength, plainKey.length);
  const highest = power(base, length);
  /** For each value of the first 16 bits of a hash: 1 if a run of the key has such a hash, and otherwise 0. */
  const hashes = new Uint8Array(2 ** 16);
  for (let start = 0; start + length <= plainKey.length; start += 1) hashes[hashOf(plainKey.slice(start, start + length)) >>> 16] = 1;

  function open(): RedactedStream {
    let held = '';
    /** The end of the text that was already returned, without escapes. A part of the key may have begun there. */
    let before = '';
    let isInKey = false;

    function read(text: string, isLast: boolean): string {
      const { plain: added, ends } = removeEscapes(text);
      const plain = before + added;
      const offset = before.length;
      const endOf = (position: number) => (position <= offset ? 0 : (ends?.[position - offset - 1] ?? position - offset));
      let shown = '';
      let done = offset;
      for (const [start, end] of findRuns(plain)) {
        if (start > done) {
          shown += text.slice(endOf(done), endOf(start));
          isInKey = false;
        }
        if (end > done) {
          shown += isInKey ? '' : replacement;
          isInKey = true;
          done = end;
        }
      }
      const keptFrom = isLast ? plain.length : Math.max(done, plain.length - countPossible(plain));
      if (keptFrom > done) {
        shown += text.slice(endOf(done), endOf(keptFrom));
        isInKey = false;
      }
      // The held text includes an incomplete escape after the last plain character.
      held = isLast ? '' : text.slice(endOf(keptFrom));
      if (isLast) shown += text.slice(endOf(plain.length));
      before = plain.slice(Math.max(0, keptFrom - length + 1), keptFrom);
      return shown;
    }

    return {
      push: (text) => read(held + text, false),
      end: () => read(held, true),
    };
  }

  /** Finds where parts of the key begin and end. The parts are in order, and may overlap. */
  function findRuns(plain: string): [number, number][] {
    const found: [number, number][] = [];
    /** The hash of the last `length` characters. */
    let hash = 0;
    for (let index = 0; index < plain.length; index += 1) {
      const dropped = index < length ? 0 : plain.charCodeAt(index - length);
      hash = (Math.imul(hash, base) + plain.charCodeAt(index) - Math.imul(dropped, highest)) | 0;
      const start = index + 1 - length;
      if (start < 0 || hashes[hash >>> 16] === 0) continue;
      const last = found.at(-1);
      if (!plainKey.includes(plain.slice(start, index + 1))) continue;
      // In most cases, this run extends the previous run by one character.
      if (last && last[1] === index) last[1] = index + 1;
      else found.push([start, index + 1]);
    }
    return found;
  }

  /** Counts the characters at the end that may be the beginning of a part of the key. */
  function countPossible(plain: string): number {
    for (let count = Math.min(plain.length, length - 1); count > 0; count -= 1) {
      if (plainKey.includes(plain.slice(-count))) return count;
    }
    return 0;
  }

  return {
    open,
    redact(text) {
      const stream = open();
      return stream.push(text) + stream.end();
    },
  };
}

function power(of: number, exponent: number): number {
  let result = 1;
  for (let count = 0; count < exponent; count += 1) result = Math.imul(result, of);
  return result;
}

function hashOf(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index += 1) hash = (Math.imul(hash, base) + text.charCodeAt(index)) | 0;
  return hash;
}

/** Returns the text without escapes, and where each plain character ends in the original. `ends` is missing if the text had no escapes. */
function removeEscapes(text: string): { plain: string; ends?: Uint32Array } {
  if (!text.includes('\\')) return { plain: text };
  const codes = new Uint16Array(text.length);
  const ends = new Uint32Array(text.length);
  let count = 0;
  for (let index = 0; index < text.length; count += 1) {
    let start = index;
    while (start - index < maxBackslashes && text.charCodeAt(start) === backslash) start += 1;
    const isCode = start > index && text.charCodeAt(start) === letterU;
    const code = isCode ? readCode(text, start + 1) : undefined;
    // The rest of an escape may be in the next part.
    if (start === text.length || code === 'incomplete') break;
    codes[count] = code ?? text.charCodeAt(start);
    index = start + (code === undefined ? 1 : 5);
    ends[count] = index;
  }
  return { plain: Buffer.from(codes.buffer, 0, 2 * count).toString('utf16le'), ends };
}

const backslash = 0x5c;
const letterU = 0x75;

/** Reads the four hexadecimal digits at a position. Returns undefined if there are other characters. */
function readCode(text: string, start: number): number | 'incomplete' | undefined {
  const digits = text.slice(start, start + 4);
  if (!/^[0-9a-f]*$/i.test(digits)) return undefined;
  return digits.length < 4 ? 'incomplete' : Number.parseInt(digits, 16);
}
