import { readStored, writeStored } from './storage.ts';
import { tabId } from './tab.ts';

/** The time for which a lease is valid. If a tab crashes, the other tabs wait this long. */
const leaseMs = 6000;
const renewMs = 2000;
/** The delay after taking a lease. Several tabs may take a free lease at once. After the delay, all of these tabs see which one has it. */
const settleMs = 300;

/**
 * Calls `work` while this tab has the lease. Only one visible tab of the browser has the lease at a time. The signal passed to `work` fires
 * when the lease ends. The lease is not a Web Lock, because browsers support Web Locks only on HTTPS and localhost. Rejects when the signal
 * is aborted.
 */
export async function whileLeasing(key: string, signal: AbortSignal, work: (leased: AbortSignal) => Promise<unknown>): Promise<never> {
  while (true) {
    signal.throwIfAborted();
    if (isVisible() && (await take(key))) await workLeased(key, signal, work);
    else await nextChance(key, signal);
  }
}

async function take(key: string): Promise<boolean> {
  if (!renew(key)) return false;
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  return renew(key);
}

async function workLeased(key: string, signal: AbortSignal, work: (leased: AbortSignal) => Promise<unknown>): Promise<void> {
  const ended = new AbortController();
  const end = () => {
    // The lease is released at once, so that another tab can continue.
    if (ownerOf(key) === tabId) writeStored(key, undefined);
    ended.abort();
  };
  const timer = setInterval(() => renew(key) || ended.abort(), renewMs);
  document.addEventListener('visibilitychange', () => isVisible() || end(), { signal: ended.signal });
  addEventListener('pagehide', end, { signal: ended.signal });
  addEventListener('storage', (event) => event.key === key && ownerOf(key) !== tabId && ended.abort(), { signal: ended.signal });
  await work(AbortSignal.any([signal, ended.signal])).catch(() => undefined);
  clearInterval(timer);
  end();
}

/** Takes or renews the lease, unless another tab has it. If the browser blocks storage, every tab has a separate lease. */
function renew(key: string): boolean {
  const owner = ownerOf(key);
  if (owner !== undefined && owner !== tabId) return false;
  writeStored(key, `${tabId} ${Date.now() + leaseMs}`);
  return true;
}

function ownerOf(key: string): string | undefined {
  const [owner, end] = readStored(key)?.split(' ') ?? [];
  const leftMs = Number(end) - Date.now();
  // If the remaining time is longer than a lease, the clock was set back, so the lease does not count.
  return leftMs > 0 && leftMs <= leaseMs ? owner : undefined;
}

/** Waits until the lease is released or may have expired, or the tab becomes visible. */
function nextChance(key: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = new AbortController();
    const timer = setTimeout(() => isVisible() && finish(), renewMs);
    const finish = () => {
      clearTimeout(timer);
      stop.abort();
      resolve();
    };
    addEventListener('storage', (event) => event.key === key && event.newValue === null && finish(), { signal: stop.signal });
    document.addEventListener('visibilitychange', finish, { signal: stop.signal });
    signal.addEventListener('abort', finish, { signal: stop.signal });
  });
}

function isVisible(): boolean {
  return document.visibilityState === 'visible';
}
