export interface BatchLimits {
  /** Keys in one query. */
  keys: number;
  /** Queries under way at a time. */
  queries: number;
}

interface Waiting<V> {
  key: string;
  resolve(value: V | undefined): void;
  reject(err: unknown): void;
}

/**
 * Makes one lookup out of many: those that arrive in one turn of the event loop, or while earlier ones are under way, travel together.
 * Nothing waits longer than its turn when nothing is under way. A query starts after every lookup in it has arrived, so its answer is as fresh as that of a
 * query of one's own; nothing is kept afterwards. A query that fails fails its own lookups only.
 */
export function batchLookups<V>(
  findAll: (keys: string[]) => Promise<Map<string, V>>,
  limits: BatchLimits,
): (key: string) => Promise<V | undefined> {
  const waiting: Waiting<V>[] = [];
  let underWay = 0;
  let isDue = false;

  const startSoon = (): void => {
    if (isDue || underWay >= limits.queries) return;
    isDue = true;
    process.nextTick(start);
  };

  const start = (): void => {
    isDue = false;
    while (underWay < limits.queries && waiting.length > 0) void travel(waiting.splice(0, limits.keys));
  };

  const travel = async (lookups: Waiting<V>[]): Promise<void> => {
    underWay += 1;
    try {
      const found = await findAll([...new Set(lookups.map(({ key }) => key))]);
      for (const { key, resolve } of lookups) resolve(found.get(key));
    } catch (err) {
      for (const { reject } of lookups) reject(err);
    } finally {
      underWay -= 1;
      start();
    }
  };

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      startSoon();
    });
}
