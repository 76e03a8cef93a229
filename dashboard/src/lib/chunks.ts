import { type ComponentType, lazy } from 'react';
import { reconnect } from './connection.ts';
import { prepareUpgrade } from './upgrade.ts';

const maxAttempts = 4;

/**
 * Loads a chunk of the dashboard. Waits while the server is unreachable. If the chunk no longer exists because of an upgrade, the page
 * reloads.
 */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await load();
    } catch (cause) {
      await reconnect();
      if (await prepareUpgrade('asset missing')) return new Promise(() => {});
      // The browser's error is not thrown again, because the router would reload the page when it sees the browser's message.
      if (attempt === maxAttempts) throw new Error('A part of the dashboard could not be loaded', { cause });
    }
  }
}

/** Returns a component that loads in a separate chunk and is rendered in a `Suspense`. */
export function lazyComponent<P>(load: () => Promise<ComponentType<P>>) {
  return lazy(() => loadChunk(async () => ({ default: await load() })));
}
