/** The options with which a database thread is started. */
export interface ThreadOptions {
  file: string;
  isReadOnly: boolean;
  /** Statements that every connection runs when it is opened. */
  setup: string[];
  /** The maximum duration of a query, in milliseconds. */
  timeoutMs: number;
  /**
   * If set, the thread checkpoints the write-ahead log, so that commits do not have to do this work. The thread also reports when a
   * snapshot prevents the log from being reset for too long.
   */
  checkpoints?: { everyMs: number; maxLogPages: number };
}

// Messages are sent as JSON, because Node takes several times as long to copy lists of small values between threads.

export type ToThread =
  /** Runs a query. The first query on a connection opens it. */
  | { kind: 'query'; id: number; connection: number; sql: string; parameters: readonly unknown[] }
  | { kind: 'release'; connection: number }
  | { kind: 'close' };

export interface ThreadResult {
  columns: string[];
  rows: unknown[][];
  /** The number of changed rows, for statements that write. */
  changes?: number;
}

/** An error as plain data. It is needed because errors lose their class when they are passed between threads. */
export interface ThreadError {
  message: string;
  /** SQLite's result code. */
  errcode: number | undefined;
  /** Node's error code. */
  code: string | undefined;
}

export type FromThread = 'log too long' | { id: number; result: ThreadResult } | { id: number; error: ThreadError };
