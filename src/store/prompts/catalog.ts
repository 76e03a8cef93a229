import { type Kysely, sql } from 'kysely';
import { latestLabel } from '../../contract/label-names.ts';
import type { PromptType } from '../../contract/versions.ts';
import type { Database } from '../tables.ts';

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

/** In one query: all of a page would take tens of milliseconds, during which the embedded database serves nobody else. */
const promptsAtOnce = 20;

export function createCatalogStore(db: Kysely<Database>) {
  return {
    /** Some prompts, without those that do not have the label, in the order of their ids in the list. */
    async list(accountId: string, promptIds: string[], label: string): Promise<CatalogRecord[]> {
      const found = new Map<string, CatalogRecord>();
      for (let start = 0; start < promptIds.length; start += promptsAtOnce) {
        const rows = await selectLabeled(db, accountId, promptIds.slice(start, start + promptsAtOnce), label).execute();
        for (const { variables, partials, config, ...prompt } of rows) {
          const isLarge = variables === null || partials === null || config === null;
          found.set(prompt.id, { ...prompt, details: isLarge ? null : { variables, partials, config } });
        }
      }
      return promptIds.flatMap((id) => found.get(id) ?? []);
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
    .where('prompts.deleted_at', 'is', null)
    .select(['prompts.id', 'prompts.name', 'prompts.type', 'prompts.description', 'prompt_versions.version'])
    .select([ifSmall('variables'), ifSmall('partials'), ifSmall('config')]);
}
