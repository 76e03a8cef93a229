/** The number of tasks at a time. The server processes only two requests of a workspace at a time. */
const concurrency = 2;

/**
 * Runs a task for each item, a few at a time. After the first error, no further task is started, and the promise rejects with that error.
 */
export async function forEachLimited<T>(items: readonly T[], task: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const work = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await task(item);
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, work));
  } finally {
    rest.length = 0;
  }
}
