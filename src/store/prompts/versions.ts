import type { Kysely, Selectable } from 'kysely';
import { latestLabel } from '../../contract/label-names.ts';
import type { PromptType } from '../../contract/versions.ts';
import type { Database, PromptVersionTable } from '../tables.ts';
import type { UsageCounter } from './usage.ts';

/** JSON columns are strings here; the domain, which knows their shapes, parses them. */
export interface VersionRecord {
  promptId: string;
  version: number;
  content: string;
  config: string;
  variables: string;
  partials: string;
  message: string;
  createdAt: string;
}

/** A version found by prompt name and label. */
export interface LabeledVersion extends VersionRecord {
  name: string;
  label: string;
  type: PromptType;
}

const columns = [
  'prompt_versions.prompt_id as promptId',
  'prompt_versions.version',
  'prompt_versions.content',
  'prompt_versions.config',
  'prompt_versions.variables',
  'prompt_versions.partials',
  'prompt_versions.message',
  'prompt_versions.created_at as createdAt',
] as const;

export function createVersionStore(db: Kysely<Database>, usage?: UsageCounter) {
  return {
    async find(accountId: string, promptId: string, version: number): Promise<VersionRecord | undefined> {
      return db
        .selectFrom('prompt_versions')
        .select(columns)
        .where('account_id', '=', accountId)
        .where('prompt_id', '=', promptId)
        .where('version', '=', version)
        .executeTakeFirst();
    },

    /** Newest first. */
    async list(accountId: string, promptId: string, page: { before?: number | undefined; limit: number }): Promise<VersionRecord[]> {
      let query = db.selectFrom('prompt_versions').select(columns).where('account_id', '=', accountId).where('prompt_id', '=', promptId);
      if (page.before !== undefined) query = query.where('version', '<', page.before);
      return query.orderBy('version', 'desc').limit(page.limit).execute();
    },

    /** The versions that a label points at, for several prompts outside the bin. */
    async listLabeled(accountId: string, names: string[], label: string): Promise<LabeledVersion[]> {
      if (names.length === 0) return [];
      let query = db
        .selectFrom('prompts')
        .innerJoin('prompt_versions', (join) =>
          join.onRef('prompt_versions.account_id', '=', 'prompts.account_id').onRef('prompt_versions.prompt_id', '=', 'prompts.id'),
        )
        .select(['prompts.name', 'prompts.type', ...columns])
        .where('prompts.account_id', '=', accountId)
        .where('prompts.name', 'in', names)
        .where('prompts.deleted_at', 'is', null);
      if (label === latestLabel) query = query.whereRef('prompt_versions.version', '=', 'prompts.latest_version');
      else {
        query = query.where('prompt_versions.version', '=', (eb) =>
          eb
            .selectFrom('prompt_labels')
            .select('prompt_labels.version')
            .where('prompt_labels.account_id', '=', accountId)
            .whereRef('prompt_labels.prompt_id', '=', 'prompts.id')
            .where('prompt_labels.label', '=', label),
        );
      }
      return (await query.execute()).map((row) => ({ ...row, label }));
    },

    async insert(accountId: string, version: VersionRecord): Promise<void> {
      usage?.add({ versions: 1, contentBytes: Buffer.byteLength(version.content) + Buffer.byteLength(version.config) });
      const row: Selectable<PromptVersionTable> = {
        account_id: accountId,
        prompt_id: version.promptId,
        version: version.version,
        content: version.content,
        config: version.config,
        variables: version.variables,
        partials: version.partials,
        message: version.message,
        created_at: version.createdAt,
      };
      await db.insertInto('prompt_versions').values(row).execute();
    },
  };
}
