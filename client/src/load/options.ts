import type { ApiError } from '../errors.ts';

export interface LoadOptions {
  /** The label to load. Default: `production`. */
  label?: string | undefined;
  /** Loads only prompts in this folder and its subfolders. */
  folder?: string | undefined;
  /** A file to which the client writes its last good state. If the service cannot be reached, the client starts from this file. */
  fallbackFile?: string | undefined;
  /**
   * A file that `promptharbor pull --state` wrote, for example into the image of your application. The client only reads it. If the service
   * cannot be reached, the client starts from the newer of the two files.
   */
  stateFile?: string | undefined;
  /**
   * Starts without prompts if the service cannot be reached and there is no file, instead of throwing. Until the service is reached, `get`
   * returns the `fallback` that you pass to it.
   */
  startEmpty?: boolean | undefined;
  /** Called after each change. */
  onChange?: ((change: PromptsChange) => void) | undefined;
  /**
   * Called when the key is no longer accepted or no longer has access to the workspace. Return a new key to continue with it.
   * Otherwise, the prompts are not updated until you call `setApiKey` of the client. Default: logs an error to the console.
   */
  onAuthError?: AuthErrorHandler | undefined;
  /** Called with errors in the background that are retried, such as a lost connection. */
  onError?: ((err: unknown) => void) | undefined;
  /** The interval at which to poll for changes if event streams are blocked. Default: 15 seconds. */
  pollIntervalMs?: number | undefined;
  /** The time to wait for the service at the start if there is a file or `startEmpty`. Default: 5 seconds. */
  startTimeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a handler that only reports has no result
type NewKey = string | undefined | void;
export type AuthErrorHandler = (err: ApiError) => NewKey | Promise<NewKey>;

/** The names of the prompts that changed. */
export interface PromptsChange {
  added: string[];
  changed: string[];
  removed: string[];
}

export interface PromptsState {
  /**
   * `live`: the event stream is open and delivers changes. `polling`: the stream is not open yet or is blocked, so the client polls for
   * changes. `offline`: the service cannot be reached. `unauthorized`: the key is no longer accepted. `closed`: you have called `close`.
   */
  status: 'live' | 'polling' | 'offline' | 'unauthorized' | 'closed';
  /** The source of the prompts. `none` means that the client started with `startEmpty` and has not reached the service yet. */
  source: 'service' | 'file' | 'none';
  /** The time at which the prompts were last known to be current. The year is 1970 if there are no prompts yet. */
  checkedAt: Date;
  /**
   * The time since `checkedAt` in milliseconds. The value is 0 while the status is `live` and all changes missed during an outage have been
   * fetched.
   */
  ageMs: number;
  /** The reason why the status is not `live`. */
  error: unknown;
}
