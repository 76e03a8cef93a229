export type KeyQueue = ReturnType<typeof createKeyQueue>;

/** Passes keys to a handler, and queues the keys that are pressed before there is a handler. */
export function createKeyQueue() {
  const waiting: string[] = [];
  let handler: ((key: string) => void) | undefined;
  return {
    press(key: string): void {
      if (handler) handler(key);
      else waiting.push(key);
    },
    handle(next: (key: string) => void): void {
      handler = next;
      for (const key of waiting.splice(0)) next(key);
    },
  };
}
