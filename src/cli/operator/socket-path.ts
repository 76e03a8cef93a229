import { hash } from 'node:crypto';
import { join, relative } from 'node:path';

/** The maximum length of a socket's path, without the NUL character at its end. */
const maxPathBytes = process.platform === 'darwin' ? 103 : 107;

/** Returns the path of the socket file in a data folder. */
export function socketFileIn(dataDir: string): string {
  return join(dataDir, 'promptharbor.sock');
}

/**
 * Returns the address of the socket for this file, or undefined if its path is too long. If only the path relative to the working directory
 * is short enough, returns that path. Windows uses named pipes, which have names but no files.
 */
export function socketAddress(file: string): string | undefined {
  if (process.platform === 'win32') return `\\\\.\\pipe\\promptharbor-${hash('sha256', file.toLowerCase()).slice(0, 32)}`;
  const fromHere = `./${relative(process.cwd(), file)}`;
  return [file, fromHere].find((path) => Buffer.byteLength(path) <= maxPathBytes);
}
