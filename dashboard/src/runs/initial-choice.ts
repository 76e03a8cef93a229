import type { ModelConnection } from '../lib/types.ts';
import { readLastChoice } from './last-choice.ts';
import { defaultConnection, defaultModel, type ModelChoice } from './run-input.ts';

/** Returns the model that is selected at first, according to the config and the last choice. */
export function initialChoice(connections: ModelConnection[], configured: string): ModelChoice {
  const last = readLastChoice();
  const connection = defaultConnection(connections, { model: configured, lastUsed: last.connection });
  if (!connection) return { connection: '', model: '' };
  // A connection that allows all models has no first model.
  const lastModel = connection.id === last.connection && connection.models.length === 0 ? last.model : undefined;
  return { connection: connection.id, model: defaultModel(connection, configured) || (lastModel ?? '') };
}
