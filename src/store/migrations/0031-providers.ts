import type { Kysely } from 'kysely';
import { addWithDefault } from './schema.ts';

/** Adds the protocol of a model connection. Until this migration, all servers had OpenAI's protocol. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addWithDefault(db, 'model_connections', { name: 'kind', type: 'text', value: 'openai' });
}
