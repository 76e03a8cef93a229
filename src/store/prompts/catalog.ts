import { type Kysely, sql } from 'kysely';
import { latestLabel } from '../../contract/label-names.ts';
import type { PromptType } from '../../contract/versions.ts';
import type { Database } from '../tables.ts';
import type { PromptRecord } from './prompts.ts';

/** A prompt and what is known about the version that a label points at, without its content. */
export interface CatalogRecord {
  id: string;
  name: string;
  type: PromptType;
  description: string;
  version: number;
  /** Null if they are large: read the version then. */
  details: CatalogDetails | null;
}

/** JSON columns of a version. */
export interface CatalogDetails {
  variables: string;
  partials: string;
  config: string;
}

/** Far more than an ordinary prompt needs, and little enough for hundreds of prompts in one query. */
const maxDetailBytes = 8 * 1024;

const isSmall = sql`octet_length(prompt_versions.variables) + octet_length(prompt_versions.partials) + octet_length(prompt_versions.config) <= ${sql.lit(maxDetailBytes)}`;
const ifSmall = (column: keyof CatalogDetails) =>
  sql<string | null>`case when ${isSmall} then ${sql.ref(`prompt_versions.${column}`)} end`.as(column);

export function createCatalogStore(db: Kysely<Database>) {
  return {
    /** The labeled versions of some prompts that have the label, in the order of the prompts. */
    async list(accountId: string, prompts: PromptRecord[], label: string): Promise<CatalogRecord[]> {
      if (prompts.length === 0) return [];
      const ids = prompts.map(({ id }) => id);
      const rows = await selectLabeled(db, accountId, ids, label).execute();
      const found = new Map(rows.map((row) => [row.id, row]));
      return prompts.flatMap(({ id, name, type, description }) => {
        const row = found.get(id);
        if (!row) return [];
        const { version, variables, partials, config } = row;
        const isLarge = variables === null || partials === null || config === null;
        return [{ id, name, type, description, version, details: isLarge ? null : { variables, partials, config } }];
      });
    },
  };
}

function selectLabeled(db: Kysely<Database>, accountId: string, promptIds: string[], label: string) {
  return db
    .selectFrom('prompts')
    .innerJoin('prompt_versions', (join) =>
      join.onRef('prompt_versions.account_id', '=', 'prompts.account_id').onRef('prompt_versions.prompt_id', '=', 'prompts.id'),
    )
    .$if(label === latestLabel, (select) => select.whereRef('prompt_versions.version', '=', 'prompts.latest_version'))
    .$if(label !== latestLabel, (select) =>
      select.where('prompt_versions.version', '=', (eb) =>
        eb
          .selectFrom('prompt_labels')
          .select('prompt_labels.version')
          .where('prompt_labels.account_id', '=', accountId)
          .whereRef('prompt_labels.prompt_id', '=', 'prompts.id')
          .where('prompt_labels.label', '=', label),
      ),
    )
    .where('prompts.account_id', '=', accountId)
    .where('prompts.id', 'in', promptIds)
    .select(['prompts.id', 'prompt_versions.version'])
    .select([ifSmall('variables'), ifSmall('partials'), ifSmall('config')]);
}
