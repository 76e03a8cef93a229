const storageKey = 'promptharbor:tab';
const lockPrefix = 'promptharbor:tab:';

/** The id of this browser tab. It survives a reload, but a duplicated tab gets a new id. */
export const tabId = takeId();

// A duplicated tab copies its sessionStorage. To prevent duplicate ids, the id is stored only while the tab changes from one page to the
// next.
addEventListener('pagehide', () => keepId(tabId));
addEventListener('pageshow', () => keepId(undefined));

// The lock is held until the tab is closed or crashes. Browsers support locks only on HTTPS and localhost.
void navigator.locks?.request(`${lockPrefix}${tabId}`, () => new Promise(() => {}));

/** Returns the ids of all open tabs, as far as the browser knows them. */
export async function findOpenTabs(): Promise<Set<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(held.flatMap(({ name = '' }) => (name.startsWith(lockPrefix) ? [name.slice(lockPrefix.length)] : [])));
}

/** Waits until an open tab is closed. Rejects when the signal is aborted. */
export async function waitUntilClosed(id: string, signal: AbortSignal): Promise<void> {
  await navigator.locks?.request(`${lockPrefix}${id}`, { mode: 'shared', signal }, () => {});
}

function takeId(): string {
  try {
    const kept = sessionStorage.getItem(storageKey);
    keepId(undefined);
    if (kept !== null) return kept;
  } catch {
    // The browser blocks sessionStorage, so every page counts as a separate tab.
  }
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function keepId(id: string | undefined): void {
  try {
    if (id === undefined) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, id);
  } catch {
    // The browser blocks sessionStorage.
  }
}
