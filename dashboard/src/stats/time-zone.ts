import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from '../lib/storage.ts';

const key = 'promptharbor:statistics-time-zone';
const listeners = new Set<() => void>();

/** The time zone that the user can choose in place of the browser's time zone. */
export const utc = 'UTC';
export const localZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

export function setTimeZone(zone: string): void {
  writeStored(key, zone === utc ? utc : undefined);
  for (const listener of listeners) listener();
}

export function useTimeZone(): string {
  return useSyncExternalStore(subscribe, getTimeZone);
}

function getTimeZone(): string {
  return readStored(key) === utc ? utc : localZone;
}

function subscribe(listener: () => void): () => void {
  const handleStorage = (event: StorageEvent) => event.key === key && listener();
  listeners.add(listener);
  addEventListener('storage', handleStorage);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', handleStorage);
  };
}
