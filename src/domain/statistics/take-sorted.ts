/** Takes counters in sorted order, so that instances that write the same rows at the same time do not deadlock. */
export function takeSorted<Counter>(counters: Map<string, Counter>, max: number): Counter[] {
  const taken: [string, Counter][] = [];
  for (const entry of counters) {
    if (taken.push(entry) === max) break;
  }
  for (const [key] of taken) counters.delete(key);
  return taken.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, counter]) => counter);
}
