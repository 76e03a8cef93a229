/** Adds to the count of a key, and removes the key when its count is zero. */
export function addToCount(counts: Map<string, number>, key: string, added: number): void {
  const count = (counts.get(key) ?? 0) + added;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
