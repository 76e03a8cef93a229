/**
 * Counts distinct keys in little memory, by their smallest hashes. The count is exact up to `maxHashes` keys, and has a standard error of
 * 4.4% above that number. The sketches of two sets of keys can be merged into one sketch of all their keys.
 */
export interface KeySketch {
  /** The smallest hashes in ascending order, of which only the first `size` are used. */
  readonly hashes: Uint32Array;
  size: number;
}

export const maxHashes = 512;
const bytesOfHash = 4;

export function createSketch(): KeySketch {
  return { hashes: new Uint32Array(maxHashes), size: 0 };
}

/** Adds the hash of a key, which is an unsigned number of 32 bits. Returns whether the sketch has changed. */
export function addHash(sketch: KeySketch, hash: number): boolean {
  const { hashes, size } = sketch;
  const isFull = size === maxHashes;
  // Most hashes are too large for a full sketch.
  if (isFull && hash > (hashes[size - 1] ?? 0)) return false;
  const index = findIndex(sketch, hash);
  if (index < size && hashes[index] === hash) return false;
  hashes.copyWithin(index + 1, index, isFull ? size - 1 : size);
  hashes[index] = hash;
  if (!isFull) sketch.size += 1;
  return true;
}

/** Adds the keys of another sketch. Returns whether the sketch has changed. */
export function mergeSketch(sketch: KeySketch, { hashes, size }: KeySketch): boolean {
  let hasChanged = false;
  for (const hash of hashes.subarray(0, size)) hasChanged = addHash(sketch, hash) || hasChanged;
  return hasChanged;
}

/** Estimates the number of distinct keys. */
export function countKeys({ hashes, size }: KeySketch): number {
  if (size < maxHashes) return size;
  const share = ((hashes[size - 1] ?? 0) + 1) / 2 ** 32;
  return Math.max(maxHashes, Math.round((maxHashes - 1) / share));
}

export function encodeSketch({ hashes, size }: KeySketch): string {
  const buffer = Buffer.alloc(size * bytesOfHash);
  for (let index = 0; index < size; index += 1) buffer.writeUInt32LE(hashes[index] ?? 0, index * bytesOfHash);
  return buffer.toString('base64');
}

export function decodeSketch(text: string): KeySketch {
  const buffer = Buffer.from(text, 'base64');
  const sketch = createSketch();
  sketch.size = Math.min(maxHashes, Math.floor(buffer.length / bytesOfHash));
  for (let index = 0; index < sketch.size; index += 1) sketch.hashes[index] = buffer.readUInt32LE(index * bytesOfHash);
  return sketch;
}

/** Returns the index of the first hash that is not smaller than the given hash. */
function findIndex({ hashes, size }: KeySketch, hash: number): number {
  let [low, high] = [0, size];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((hashes[middle] ?? 0) < hash) low = middle + 1;
    else high = middle;
  }
  return low;
}
