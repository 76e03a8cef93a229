import type { ApiError } from '../errors.ts';

export interface LoadOptions {
  /** The label to load. Default: `production`. */
  label?: string | undefined;
  /** Only prompts in this folder and its subfolders. */
  folder?: string | undefined;
  /** Where the last good state is kept, to start from when the service cannot be reached. */
  fallbackFile?: string | undefined;
  /** Called after each change. */
  onChange?: ((change: PromptsChange) => void) | undefined;
  /**
   * Called when the key is no longer accepted, or no longer has access to the workspace. Return a new key to go on with it.
   * Otherwise the prompts stay as they are until `setApiKey` of the client is called. Default: writes a line to the console.
   */
  onAuthError?: AuthErrorHandler | undefined;
  /** Called with what goes wrong in the background and is tried again, such as a lost connection. */
  onError?: ((err: unknown) => void) | undefined;
  /** How often to ask for changes where event streams are blocked. Default: 15 seconds. */
  pollIntervalMs?: number | undefined;
  /** How long a start waits for the service when there is a file to start from. Default: 5 seconds. */
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
   * `live`: the event stream is open, and changes arrive by it. `polling`: it is not open yet, or streams are blocked, and changes
   * are asked for. `offline`: the service cannot be reached. `unauthorized`: the key is no longer accepted. `closed`: after `close`.
   */
  status: 'live' | 'polling' | 'offline' | 'unauthorized' | 'closed';
  /** Where the prompts are from. */
  source: 'service' | 'file';
  /** When they were last known to be current. */
  checkedAt: Date;
  /** How long ago that was. 0 while `live`, from when everything that a lost connection has missed was fetched. */
  ageMs: number;
  /** Why it is not `live`. */
  error: unknown;
}
