/**
 * This file replaces the parts of Node that LiquidJS uses, on every platform. The build of the package puts it in place of Node's modules,
 * so that the client contains the same LiquidJS as the service, and its filters return the same texts.
 */

const utf8 = new TextEncoder();

/** Implements the parts that the filters `base64_encode` and `base64_decode` use. These filters validate their input themselves. */
export const Buffer = {
  isBuffer: () => false,
  from(text: string, encoding: 'utf8' | 'base64') {
    const bytes = encoding === 'utf8' ? utf8.encode(text) : Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return {
      toString: (target: 'utf8' | 'base64') =>
        target === 'utf8'
          ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
          : btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')),
    };
  },
};

/** Implements the part that the filter `sha256` uses. The platform's own function is asynchronous, but rendering is not. */
export function createHash(_algorithm: 'sha256') {
  return createDigest((text) => sha256(utf8.encode(text)));
}

/** Implements the part that the filter `hmac_sha256` uses. */
export function createHmac(_algorithm: 'sha256', key: string) {
  const long = utf8.encode(key);
  const block = new Uint8Array(blockBytes);
  block.set(long.length > blockBytes ? sha256(long) : long);
  const pad = (value: number) => block.map((byte) => byte ^ value);
  return createDigest((text) => sha256(join(pad(0x5c), sha256(join(pad(0x36), utf8.encode(text))))));
}

function createDigest(digest: (text: string) => Uint8Array) {
  return {
    update: (text: string, _encoding: 'utf8') => ({
      digest: (_target: 'hex') => Array.from(digest(text), (byte) => byte.toString(16).padStart(2, '0')).join(''),
    }),
  };
}

const blockBytes = 64;

/** Returns the fractional parts of the square or cube roots of the first primes, as FIPS 180-4 defines the constants. */
function createConstants(count: number, root: number): Uint32Array {
  const constants: number[] = [];
  for (let candidate = 2; constants.length < count; candidate += 1) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor += 1) if (candidate % divisor === 0) isPrime = false;
    if (isPrime) constants.push((candidate ** (1 / root) % 1) * 2 ** 32);
  }
  return Uint32Array.from(constants);
}

const initialState = createConstants(8, 2);
const roundConstants = createConstants(64, 3);

/** Returns the SHA-256 digest of a message, as FIPS 180-4 describes it. */
function sha256(message: Uint8Array): Uint8Array {
  const state = initialState.slice();
  const schedule = new Uint32Array(64);
  const padded = pad(message);
  for (let start = 0; start < padded.byteLength; start += blockBytes) {
    for (let index = 0; index < 64; index += 1) {
      schedule[index] = index < 16 ? padded.getUint32(start + 4 * index) : extend(schedule, index);
    }
    addBlock(state, schedule);
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [index, word] of state.entries()) digest.setUint32(4 * index, word);
  return new Uint8Array(digest.buffer);
}

/** Appends a bit, zeros and the length in bits, up to a whole block. */
function pad(message: Uint8Array): DataView {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / blockBytes) * blockBytes);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
  return view;
}

function extend(schedule: Uint32Array, index: number): number {
  const at = (offset: number) => schedule[index - offset] ?? 0;
  const first = rotate(at(15), 7) ^ rotate(at(15), 18) ^ (at(15) >>> 3);
  const second = rotate(at(2), 17) ^ rotate(at(2), 19) ^ (at(2) >>> 10);
  return at(16) + first + at(7) + second;
}

function addBlock(state: Uint32Array, schedule: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (const [index, word] of schedule.entries()) {
    const first = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + (roundConstants[index] ?? 0) + word;
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0) + word;
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

/** Throws for files and streams. LiquidJS has code for them, but the templates of prompts never reach it. */
function refuse(): never {
  throw new Error('Templates cannot read files');
}

export const sep = '/';
export class PassThrough {}
export {
  refuse as createRequire,
  refuse as dirname,
  refuse as extname,
  refuse as readFile,
  refuse as readFileSync,
  refuse as realpath,
  refuse as realpathSync,
  refuse as resolve,
  refuse as stat,
  refuse as statSync,
};
