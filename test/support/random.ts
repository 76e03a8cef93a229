/** Random choices that can be repeated with the same seed. The seed comes from PROMPTHARBOR_SEED, or is new. */
export interface Random {
  seed: number;
  /** Returns a number from 0 up to, but not including, `limit`. */
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
}

export function createRandom(seed = Number(process.env.PROMPTHARBOR_SEED ?? Math.floor(Math.random() * 2 ** 32))): Random {
  let state = seed >>> 0;
  // Mulberry32 is small, and random enough for tests.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    seed,
    below,
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('There is nothing to pick from');
      return item;
    },
  };
}
