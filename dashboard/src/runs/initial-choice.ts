import type { ModelConnection } from '../lib/types.ts';
import { readLastChoice } from './last-choice.ts';
import { defaultConnection, defaultModel, type ModelChoice } from './run-input.ts';

/** The model to start with, from the config and what was used last. */
export function initialChoice(connections: ModelConnection[], configured: string): ModelChoice {
  const last = readLastChoice();
  const connection = defaultConnection(connections, { model: configured, lastUsed: last.connection });
  if (!connection) return { connection: '', model: '' };
  // A connection that allows any model has no first one.
  const lastModel = connection.id === last.connection && connection.models.length === 0 ? last.model : undefined;
  return { connection: connection.id, model: defaultModel(connection, configured) || (lastModel ?? '') };
}
