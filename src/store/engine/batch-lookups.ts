interface BatchLimits {
  /** The maximum number of keys per query. */
  keys: number;
  /** The maximum number of concurrent queries. */
  queries: number;
}

interface PendingLookup<V> {
  key: string;
  resolve(value: V | undefined): void;
  reject(err: unknown): void;
}

/**
 * Combines lookups into batches. A batch contains the lookups that arrive in the same turn of the event loop, or while the maximum number
 * of queries is in flight. A query starts only after all its lookups have arrived, and nothing is cached, so the results are as fresh as
 * those of separate queries. A failed query fails only its own lookups.
 */
export function batchLookups<V>(
  findAll: (keys: string[]) => Promise<Map<string, V>>,
  limits: BatchLimits,
): (key: string) => Promise<V | undefined> {
  const pending: PendingLookup<V>[] = [];
  let inFlight = 0;
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled || inFlight >= limits.queries) return;
    isScheduled = true;
    process.nextTick(startQueries);
  };

  const startQueries = (): void => {
    isScheduled = false;
    while (inFlight < limits.queries && pending.length > 0) void runQuery(pending.splice(0, limits.keys));
  };

  const runQuery = async (lookups: PendingLookup<V>[]): Promise<void> => {
    inFlight += 1;
    try {
      const found = await findAll([...new Set(lookups.map(({ key }) => key))]);
      for (const { key, resolve } of lookups) resolve(found.get(key));
    } catch (err) {
      for (const { reject } of lookups) reject(err);
    } finally {
      inFlight -= 1;
      startQueries();
    }
  };

  return (key) =>
    new Promise((resolve, reject) => {
      pending.push({ key, resolve, reject });
      schedule();
    });
}
