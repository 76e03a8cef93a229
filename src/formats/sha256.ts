/**
 * The constants of SHA-256: the first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of the square roots of
 * the first 8 primes.
 */
const primes = Array.from({ length: 312 }, (_, number) => number).filter(
  (number) => number > 1 && !Array.from({ length: number - 2 }, (_, index) => index + 2).some((divisor) => number % divisor === 0),
);
const fraction = (value: number) => ((value - Math.floor(value)) * 2 ** 32) | 0;
const constants = primes.slice(0, 64).map((prime) => fraction(Math.cbrt(prime)));
const initial = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

const rotate = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));

/**
 * Returns the SHA-256 of a string as hex. Browsers provide SHA-256 only on HTTPS and localhost, and only asynchronously. This function
 * creates ids from short texts.
 */
export function sha256Hex(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length * 8);
  let hash = initial;
  for (let offset = 0; offset < padded.length; offset += 64) hash = compress(hash, view, offset);
  return hash.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function compress(hash: number[], view: DataView, offset: number): number[] {
  const words: number[] = [];
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let round = 0; round < 64; round += 1) {
    const [w15 = 0, w2 = 0] = [words[round - 15], words[round - 2]];
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3);
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10);
    const word = round < 16 ? view.getInt32(offset + round * 4) : ((words[round - 16] ?? 0) + s0 + (words[round - 7] ?? 0) + s1) | 0;
    words.push(word);
    const mixed = (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g));
    const first = (h + mixed + (constants[round] ?? 0) + word) | 0;
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  return [a, b, c, d, e, f, g, h].map((word, index) => (word + (hash[index] ?? 0)) | 0);
}
