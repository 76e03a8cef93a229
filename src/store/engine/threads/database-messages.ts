/** What a database thread is started with. */
export interface ThreadOptions {
  file: string;
  isReadOnly: boolean;
  /** Statements that every connection runs when it is opened. */
  setup: string[];
  /** How long a query may take, in milliseconds. */
  timeoutMs: number;
  /** If set, the thread moves the log of the database into its file, so that no commit has to, and says when a snapshot makes it too long. */
  checkpoints?: { everyMs: number; maxLogPages: number };
}

export type ToThread =
  /** A connection is opened by its first query. */
  | { kind: 'query'; id: number; connection: number; sql: string; parameters: readonly unknown[] }
  | { kind: 'release'; connection: number }
  | { kind: 'close' };

export interface ThreadResult {
  columns: string[];
  rows: unknown[][];
  /** Only of statements that write. */
  changes?: number;
}

/** Errors lose their class on the way between threads. */
export interface ThreadError {
  message: string;
  /** SQLite's result code. */
  errcode: number | undefined;
  /** Node's error code. */
  code: string | undefined;
}

export type FromThread = 'log too long' | { id: number; result: ThreadResult } | { id: number; error: ThreadError };
