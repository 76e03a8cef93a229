import { readStored, writeStored } from '../lib/storage.ts';

const key = 'promptharbor:last-connection';

/** The connection that was used last in this browser. It may be one of another workspace, and then is not found. */
export function readLastConnection(): string | undefined {
  return readStored(key);
}

export function writeLastConnection(id: string): void {
  writeStored(key, id);
}
