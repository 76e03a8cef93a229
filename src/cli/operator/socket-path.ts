import { hash } from 'node:crypto';
import { join, relative } from 'node:path';

/** What the system has room for in the address of a socket, without the NUL at its end. */
const maxPathBytes = process.platform === 'darwin' ? 103 : 107;

/** The file of the socket in a data folder. */
export function socketFileIn(dataDir: string): string {
  return join(dataDir, 'promptharbor.sock');
}

/**
 * The address of the socket with this file, or undefined if its path is too long for one. The path from the working directory may be
 * shorter. Windows has pipes instead, which have names and no files.
 */
export function socketAddress(file: string): string | undefined {
  if (process.platform === 'win32') return `\\\\.\\pipe\\promptharbor-${hash('sha256', file.toLowerCase()).slice(0, 32)}`;
  const fromHere = `./${relative(process.cwd(), file)}`;
  return [file, fromHere].find((path) => Buffer.byteLength(path) <= maxPathBytes);
}
