export type Repeating = ReturnType<typeof repeat>;

/** Repeats background work at an interval. Work that takes longer is not joined by a second run. */
export function repeat(
  work: (signal: AbortSignal) => Promise<void>,
  { intervalMs, atOnce = false, onError }: { intervalMs: number; atOnce?: boolean; onError(err: unknown): void },
) {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const run = () => {
    running ??= work(stopping.signal)
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  };
  if (atOnce) run();
  const timer = setInterval(run, intervalMs);

  return {
    /** Asks the work that is running to end, and resolves when it has. */
    async stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
