import type { Kysely } from 'kysely';
import { addWithDefault } from './schema.ts';

/** The protocol of a model connection. Until now, all servers had OpenAI's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addWithDefault(db, 'model_connections', { name: 'kind', type: 'text', value: 'openai' });
}
