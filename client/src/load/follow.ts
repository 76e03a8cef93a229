import { ApiError, ConnectionError } from '../errors.ts';
import { connect, type StreamEvent } from '../events.ts';
import { backoff } from '../http/timing.ts';
import type { Transport } from '../http/transport.ts';
import { createBackgroundHeaders } from './background.ts';
import type { AuthErrorHandler } from './options.ts';
import { createPause, createSingleFlight } from './tasks.ts';

export interface FollowOptions {
  /** Fetches changes. `headers` mark the requests as ones that do not keep the process running. */
  refresh(headers: Record<string, string>, signal: AbortSignal): Promise<void>;
  onAuthError: AuthErrorHandler;
  onError(err: unknown): void;
  pollIntervalMs: number;
  /** The reason why the service could not be reached at the start. Undefined if the service was reached. */
  startError: unknown;
}

/** Keeps the loaded prompts up to date until it is closed. */
export interface Follower {
  readonly status: 'live' | 'polling' | 'offline' | 'unauthorized';
  readonly error: unknown;
  /** Whether everything has been fetched since the stream was opened, so that no change was missed. */
  readonly isCurrent: boolean;
  /** Throws if the refresh fails. */
  refresh(): Promise<void>;
  close(): void;
}

/** A connection that lasted this long counts as working. */
const stableMs = 10_000;
const reconnect = { firstMs: 500, maxMs: 15_000 };
const repeat = { firstMs: 1000, maxMs: 15_000 };
const newKey = { firstMs: 200, maxMs: 60_000 };
/**
 * The poll interval while the key is rejected. Without a new key, the client only checks occasionally whether the old key is accepted
 * again.
 */
const unauthorizedIntervalMs = 60_000;
/** The maximum random delay before a refresh. All clients receive an event at the same moment, and many events often arrive together. */
const eventJitterMs = 250;
const reconnectJitterMs = 1000;

export function follow(transport: Transport, { refresh, onAuthError, onError, pollIntervalMs, startError }: FollowOptions): Follower {
  const closing = new AbortController();
  const pause = createPause();
  let isOpen = false;
  let isCurrent = false;
  let lastEventId: string | undefined;
  let authError: ApiError | undefined;
  let refreshError = startError;
  let streamError: unknown;
  let failures = 0;
  let rejectedKeys = 0;
  /** Counts connections, to determine whether the connection for which a refresh was made is still open. */
  let connection = 0;
  let isSoon = false;
  let isLater = false;
  /** Counts changes to the key, so that a failure of the previous key is not attributed to the current one. */
  let keyChanges = 0;

  const refreshOnce = createSingleFlight(async () => {
    const mark = await createBackgroundHeaders();
    const key = keyChanges;
    const openConnection = isOpen ? connection : undefined;
    try {
      await refresh(mark.headers, closing.signal);
      if (openConnection === connection) isCurrent = true;
      failures = 0;
      rejectedKeys = 0;
      authError = undefined;
      refreshError = undefined;
    } catch (err) {
      if (closing.signal.aborted) return;
      failures += 1;
      refreshError = err;
      report(err, key);
      void refreshLater();
    } finally {
      mark.end();
    }
  });

  /** Reports a rejected key. The key is reported only once, and only if it is still the current one. */
  function report(err: unknown, key: number): void {
    if (!isAccessError(err)) {
      onError(err);
      return;
    }
    isOpen = false;
    isCurrent = false;
    if (authError || key !== keyChanges) return;
    authError = err;
    // The callback is not awaited, because it may take a long time and may ask for a refresh.
    void askForKey(err);
  }

  async function askForKey(err: ApiError): Promise<void> {
    const key = await Promise.resolve(err).then(onAuthError).catch(onError);
    if (typeof key !== 'string') return;
    // If the new key is rejected too, the delay before asking for the next one grows.
    await pause.sleep(backoff(rejectedKeys, newKey));
    rejectedKeys += 1;
    if (!closing.signal.aborted) transport.setApiKey(key);
  }

  const stopListening = transport.onKeyChange(() => {
    keyChanges += 1;
    authError = undefined;
    pause.wake();
  });

  async function followStream(): Promise<void> {
    for (let attempt = 0; !closing.signal.aborted; attempt += 1) {
      const mark = await createBackgroundHeaders();
      const startedAt = Date.now();
      const key = keyChanges;
      try {
        const options = { signal: closing.signal, headers: mark.headers, isBackground: true };
        for await (const event of connect(transport, { after: lastEventId }, options)) {
          if (event.type === 'hello') void catchUp(attempt === 0 && lastEventId === undefined ? 0 : reconnectJitterMs);
          else if (isAboutPrompts(event)) void refreshSoon();
          lastEventId = event.id;
        }
      } catch (err) {
        if (closing.signal.aborted) return;
        streamError = err;
        report(err, key);
        // The refresh shows at once whether the service is unreachable or only the stream has ended.
        if (err instanceof ConnectionError) void refreshSoon();
      } finally {
        mark.end();
        connection += 1;
        isOpen = false;
        isCurrent = false;
      }
      // Only a stable connection resets the delay. If the stream is cut again and again, the delay grows, because polling costs less than
      // reconnecting.
      if (Date.now() - startedAt > stableMs) attempt = 0;
      await pause.sleep(authError ? unauthorizedIntervalMs : backoff(attempt, reconnect));
    }
  }

  /** Fetches everything when the stream has connected, because it is unknown which changes were missed before. */
  async function catchUp(jitterMs: number): Promise<void> {
    isOpen = true;
    streamError = undefined;
    await pause.sleep(Math.random() * jitterMs);
    await refreshOnce();
  }

  async function refreshSoon(): Promise<void> {
    if (isSoon) return;
    isSoon = true;
    await pause.sleep(Math.random() * eventJitterMs);
    isSoon = false;
    await refreshOnce();
  }

  async function refreshLater(): Promise<void> {
    if (isLater) return;
    isLater = true;
    await pause.sleep(authError ? unauthorizedIntervalMs : backoff(failures - 1, repeat));
    isLater = false;
    if (failures > 0 && !closing.signal.aborted) await refreshOnce();
  }

  /** Polls for changes while the stream does not deliver them. */
  async function poll(): Promise<void> {
    while (!closing.signal.aborted) {
      await pause.sleep((authError ? unauthorizedIntervalMs : pollIntervalMs) * (0.9 + Math.random() * 0.2));
      if (!closing.signal.aborted && !isCurrent) await refreshOnce();
    }
  }

  void followStream();
  void poll();

  return {
    get status() {
      if (authError) return 'unauthorized';
      if (refreshError !== undefined) return 'offline';
      return isOpen ? 'live' : 'polling';
    },
    get error() {
      return authError ?? refreshError ?? (isOpen ? undefined : streamError);
    },
    get isCurrent() {
      return isCurrent;
    },
    async refresh() {
      await refreshOnce();
      if (refreshError !== undefined) throw refreshError;
    },
    close() {
      stopListening();
      closing.abort();
      pause.wake();
    },
  };
}

/** Returns whether the key was reset, or the account is no longer a member of the workspace. */
export function isAccessError(err: unknown): err is ApiError {
  return err instanceof ApiError && (err.status === 401 || err.status === 403 || err.code === 'workspace_not_found');
}

function isAboutPrompts({ type }: StreamEvent): boolean {
  return type === 'reset' || /^(prompt|version|label|release|dependency)\./.test(type);
}
