import { readFile } from 'node:fs/promises';
import { text as readStream } from 'node:stream/consumers';
import { messageOf, UsageError } from './errors.ts';

/** Reads a JSON object from a file, or from standard input if the file is `-`. */
export async function readJsonObject(file: string): Promise<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(file === '-' ? await readStream(process.stdin) : await readFile(file, 'utf8'));
  } catch (err) {
    throw new UsageError(`${file} cannot be read: ${messageOf(err)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new UsageError(`${file} must contain a JSON object.`);
  return { ...value };
}
