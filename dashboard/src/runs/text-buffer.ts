/** Text that grows while it is shown. */
export interface TextBuffer {
  readonly text: string;
  append(chunk: string): void;
  /** Calls the listener after each change. Returns a function that removes the listener. */
  subscribe(listener: () => void): () => void;
}

/** Creates a buffer outside React's state, because a long text in small chunks would render its surroundings thousands of times. */
export function createTextBuffer(start = ''): TextBuffer {
  let text = start;
  const listeners = new Set<() => void>();
  return {
    get text() {
      return text;
    },
    append(chunk) {
      text += chunk;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
