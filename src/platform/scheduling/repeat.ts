export type Repeating = ReturnType<typeof repeat>;

/** Repeats background work at an interval. Each run starts only after the previous run has ended. */
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
    /** Asks the running work to end, and resolves when the work has ended. */
    async stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
