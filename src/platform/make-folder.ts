import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Creates a folder with its parents, for the user of the service alone. Node's own way never ends where the system refuses, such as below /proc. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(resolve(path)));
  mkdirSync(path, { mode: 0o700 });
}
