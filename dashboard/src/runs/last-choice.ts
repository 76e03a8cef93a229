import { readStored, writeStored } from '../lib/storage.ts';
import type { ModelChoice } from './run-input.ts';

const key = 'promptharbor:last-model';

/** Returns the connection and model that were used last in this browser. Callers ignore them if they belong to another workspace. */
export function readLastChoice(): Partial<ModelChoice> {
  const [connection, ...model] = readStored(key)?.split(' ') ?? [];
  return connection === undefined ? {} : { connection, model: model.join(' ') };
}

export function writeLastChoice({ connection, model }: ModelChoice): void {
  writeStored(key, `${connection} ${model}`);
}
