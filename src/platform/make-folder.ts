import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its parents, accessible only to the user of the service. Node's recursive option never returns where the system
 * refuses, as below /proc.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(resolve(path)));
  mkdirSync(path, { mode: 0o700 });
}
