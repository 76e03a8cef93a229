import type { ModelConnection } from '../lib/types.ts';
import { readLastConnection } from './last-connection.ts';
import { defaultConnection, defaultModel, type ModelChoice } from './run-input.ts';

/** The model to start with, from the config and what was used last. */
export function initialChoice(connections: ModelConnection[], configured: string): ModelChoice {
  const connection = defaultConnection(connections, { model: configured, lastUsed: readLastConnection() });
  return { connection: connection?.id ?? '', model: connection ? defaultModel(connection, configured) : '' };
}
