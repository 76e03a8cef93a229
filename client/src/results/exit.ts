interface Process {
  on(event: 'beforeExit', listener: () => void): unknown;
}

const flushes = new Set<() => void>();
let isListening = false;

/**
 * Calls `flush` when the process has nothing left to do, on platforms that have an event for this. Returns a function that removes the
 * listener.
 */
export function flushAtExit(flush: () => void): () => void {
  flushes.add(flush);
  if (!isListening) listen();
  return () => void flushes.delete(flush);
}

/** Adds one listener for all clients, because Node warns about more than ten listeners. */
function listen(): void {
  isListening = true;
  try {
    const { process } = globalThis as { process?: Process };
    process?.on('beforeExit', () => {
      for (const flush of [...flushes]) flush();
    });
  } catch {
    // Workers do not have the event `beforeExit`.
  }
}
