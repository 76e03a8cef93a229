import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sea from 'node:sea';
import { fileURLToPath } from 'node:url';
import { root } from './root.ts';

/** Whether this is the single executable, which contains the package's files. */
export const isExecutable = sea.isSea();

/** Reads a file of the package. The path is relative to the package's folder. */
export function readPackageFile(path: string): Buffer {
  // The content is not copied, so the buffer is a view of the executable's own memory, which nobody may write to.
  return isExecutable ? Buffer.from(sea.getRawAsset(path)) : readFileSync(new URL(path, root));
}

/** Returns the paths of all files in a folder of the package and its subfolders, relative to that folder. There are none if it is missing. */
export function listPackageFiles(folder: string): string[] {
  if (isExecutable) {
    const prefix = `${folder}/`;
    return sea.getAssetKeys().flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
  }
  const url = new URL(`${folder}/`, root);
  if (!existsSync(url)) return [];
  const entries = readdirSync(url, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const base = fileURLToPath(url);
  return entries.map(({ parentPath, name }) => join(parentPath, name).slice(base.length).replaceAll('\\', '/'));
}
