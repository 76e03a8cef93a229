import { useSyncExternalStore } from 'react';
import { backoff } from '../../../client/src/http/timing.ts';

/** The state is `checking` after a failed request, and `lost` after a probe has failed too. */
type ConnectionState = 'connected' | 'checking' | 'lost';

const delays = { firstMs: 300, maxMs: 10_000 };
const probeTimeoutMs = 8_000;
/** The time without an outage after which the delays are reset. */
const stableMs = 30_000;

let state: ConnectionState = 'connected';
let attempts = 0;
let connectedAt = 0;
let reconnecting: Promise<void> | undefined;
const listeners = new Set<() => void>();

/** Returns whether an error means that the server, its database or the network is unreachable. An overloaded server is reachable. */
export function isOutage({ status, code }: { status: number; code?: string | undefined }): boolean {
  return status === 0 || status === 502 || status === 504 || (status === 503 && code !== 'overloaded');
}

/** Probes the server until it responds. Queries are paused until then. */
export function reconnect(): Promise<void> {
  reconnecting ??= probeUntilConnected().finally(() => {
    reconnecting = undefined;
  });
  return reconnecting;
}

/** Reacts when the browser reports that the network is lost. The browser notices this before a request fails. */
export function watchNetwork(): void {
  addEventListener('offline', () => void reconnect());
}

export function subscribeToConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const isConnected = () => state === 'connected';

export function useConnectionLost(): boolean {
  return useSyncExternalStore(subscribeToConnection, () => state === 'lost');
}

async function probeUntilConnected(): Promise<void> {
  // After a short success, the delays keep growing. Otherwise, a request that fails although the probes succeed would be retried in a tight
  // loop.
  if (Date.now() - connectedAt > stableMs) attempts = 0;
  setState('checking');
  do {
    await waitForChance(backoff(attempts, delays));
    attempts += 1;
  } while (!(await isServing()));
  connectedAt = Date.now();
  setState('connected');
}

async function isServing(): Promise<boolean> {
  try {
    const response = await fetch('/api/session', { cache: 'no-store', signal: AbortSignal.timeout(probeTimeoutMs) });
    const body: unknown = await response.json();
    const code = typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : undefined;
    if (!isOutage({ status: response.status, code })) return true;
  } catch {
    // The server is unreachable or too slow, or a proxy has responded instead.
  }
  setState('lost');
  return false;
}

/** Waits until the delay has passed, the network is back or the user returns to the tab. */
function waitForChance(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = new AbortController();
  const finish = () => {
    clearTimeout(timer);
    done.abort();
    resolve();
  };
  const timer = setTimeout(finish, ms);
  addEventListener('online', finish, { signal: done.signal });
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && finish(), { signal: done.signal });
  return promise;
}

function setState(next: ConnectionState): void {
  state = next;
  for (const listener of listeners) listener();
}
