import { type ComponentType, lazy } from 'react';
import { reconnect } from './connection.ts';
import { prepareUpgrade } from './upgrade.ts';

const maxAttempts = 4;

/** Loads a part of the dashboard. Waits while the server is away; if the part is gone because of an upgrade, the page reloads. */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await load();
    } catch (cause) {
      await reconnect();
      if (await prepareUpgrade('asset missing')) return new Promise(() => {});
      // With a message of its own, because the router would reload the page for the browser's.
      if (attempt === maxAttempts) throw new Error('A part of the dashboard could not be loaded', { cause });
    }
  }
}

/** A component in a chunk of its own, to be rendered in a `Suspense`. */
export function lazyComponent<P>(load: () => Promise<ComponentType<P>>) {
  return lazy(() => loadChunk(async () => ({ default: await load() })));
}
