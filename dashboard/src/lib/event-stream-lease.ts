import { readStored, writeStored } from './storage.ts';
import { tabId } from './tab.ts';

/** A tab that crashes keeps the lease for so long. */
const leaseMs = 6000;
const renewMs = 2000;
/** Several tabs may take a free lease at once. So long after it, all of them see whose it is. */
const settleMs = 300;

/**
 * Works while this tab has the lease, which one visible tab of the browser has at a time. `work` gets a signal that says when it ends. Not a
 * Web Lock, because browsers have those only on HTTPS and localhost. Rejects when the signal ends it.
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
    // At once, so that another tab can go on.
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

/** Takes or keeps the lease, unless another tab has it. Where the browser blocks storage, every tab has one of its own. */
function renew(key: string): boolean {
  const owner = ownerOf(key);
  if (owner !== undefined && owner !== tabId) return false;
  writeStored(key, `${tabId} ${Date.now() + leaseMs}`);
  return true;
}

function ownerOf(key: string): string | undefined {
  const [owner, end] = readStored(key)?.split(' ') ?? [];
  const leftMs = Number(end) - Date.now();
  // More is left than a lease has after the clock was set back.
  return leftMs > 0 && leftMs <= leaseMs ? owner : undefined;
}

/** Waits until the lease is free, it may have run out, or the tab is shown. */
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
