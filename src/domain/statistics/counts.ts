export interface Counts {
  calls: number;
  /** Calls with a status of 400 or higher. */
  errors: number;
}

export function addCounts<Key>(map: Map<Key, Counts>, key: Key, added: Counts): void {
  const counts = map.get(key) ?? { calls: 0, errors: 0 };
  map.set(key, { calls: counts.calls + added.calls, errors: counts.errors + added.errors });
}

export function sumCounts(rows: Counts[]): Counts {
  return rows.reduce((sum, { calls, errors }) => ({ calls: sum.calls + calls, errors: sum.errors + errors }), { calls: 0, errors: 0 });
}

/** How many of these calls are errors: all or none. */
export function errorsOf(status: number, calls: number): number {
  return status >= 400 ? calls : 0;
}
