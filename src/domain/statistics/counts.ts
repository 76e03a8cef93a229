import { splitInTurns } from '../../platform/event-loop.ts';

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

/** Sorts the most called first. */
export function byCalls(a: { calls: number }, b: { calls: number }): number {
  return b.calls - a.calls;
}

/** The most called, of what may be very many, with pauses for requests. */
export async function takeBusiest<Item extends { calls: number }>(items: Iterable<Item>, max: number): Promise<Item[]> {
  let busiest: Item[] = [];
  for await (const part of splitInTurns(items)) busiest = busiest.concat(part).sort(byCalls).slice(0, max);
  return busiest;
}
