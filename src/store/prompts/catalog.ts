import { type Kysely, sql } from 'kysely';
import type { Database } from '../tables.ts';
import type { PromptRecord } from './prompts.ts';
import { selectAtLabel } from './versions.ts';

/** A prompt and what is known about the version that a label points at, without its content. */
export type CatalogRecord = Awaited<ReturnType<ReturnType<typeof createCatalogStore>['list']>>[number];

/** JSON columns of a version. */
export type CatalogDetails = Record<'variables' | 'partials' | 'config', string>;

/** Far more than an ordinary prompt needs, and little enough for hundreds of prompts in one query. */
const maxDetailBytes = 8 * 1024;

const isSmall = sql`octet_length(prompt_versions.variables) + octet_length(prompt_versions.partials) + octet_length(prompt_versions.config) <= ${sql.lit(maxDetailBytes)}`;
const ifSmall = (column: keyof CatalogDetails) =>
  sql<string | null>`case when ${isSmall} then ${sql.ref(`prompt_versions.${column}`)} end`.as(column);

export function createCatalogStore(db: Kysely<Database>) {
  return {
    /** The labeled versions of some prompts that have the label, in the order of the prompts. */
    async list(accountId: string, prompts: PromptRecord[], label: string) {
      if (prompts.length === 0) return [];
      const ids = prompts.map(({ id }) => id);
      const rows = await selectAtLabel(db, accountId, label)
        .where('prompts.id', 'in', ids)
        .select(['prompts.id', 'prompt_versions.version'])
        .select([ifSmall('variables'), ifSmall('partials'), ifSmall('config')])
        .execute();
      const found = new Map(rows.map((row) => [row.id, row]));
      return prompts.flatMap(({ id, name, type, description }) => {
        const row = found.get(id);
        if (!row) return [];
        const { version, variables, partials, config } = row;
        const isLarge = variables === null || partials === null || config === null;
        // Large ones are read with the version.
        return [{ id, name, type, description, version, details: isLarge ? null : { variables, partials, config } }];
      });
    },
  };
}
