import { type Kysely, sql } from 'kysely';
import type { Via } from '../../contract/people.ts';
import type { TemplateSyntax } from '../../contract/versions.ts';
import type { Database } from '../tables.ts';
import { personColumns } from './people.ts';

/** How far a prompt goes. */
export interface PromptExtent {
  /** The highest number that a version ever had. */
  lastVersion: number;
  lastEvent: string | null;
}

/** `content` and `config` are JSON; both are empty if the version is deleted. */
export interface ExportedVersion {
  version: number;
  syntax: TemplateSyntax;
  content: string;
  config: string;
  message: string;
  createdAt: string;
  deletedAt: string | null;
  byName: string;
  byVia: Via | null;
}

/** `content` is JSON: variables and checks. */
export interface ExportedCase {
  id: string;
  name: string;
  content: string;
  createdAt: string;
  updatedAt: string;
}

/** `detail` is JSON. */
export interface ExportedEvent {
  id: string;
  type: string;
  detail: string;
  at: string;
  byName: string;
  byVia: Via;
}

interface PromptOwner {
  accountId: string;
  promptId: string;
}

/** As in versions.ts. */
const isLive = sql<boolean>`octet_length(content) > 0`;

/** Reads whole prompts, in batches. */
export function createExportStore(db: Kysely<Database>) {
  return {
    /** By the ids of the prompts. */
    async findExtents(accountId: string, prompts: { id: string }[]): Promise<Map<string, PromptExtent>> {
      const ids = prompts.map(({ id }) => id);
      const found = await db
        .selectFrom('prompts')
        .select((eb) => [
          'id',
          eb
            .selectFrom('prompt_versions')
            .select(({ fn }) => fn.max('version').as('last'))
            .whereRef('prompt_versions.account_id', '=', 'prompts.account_id')
            .whereRef('prompt_id', '=', 'prompts.id')
            .as('lastVersion'),
          eb
            .selectFrom('prompt_events')
            .select(({ fn }) => fn.max('prompt_events.id').as('last'))
            .whereRef('prompt_events.account_id', '=', 'prompts.account_id')
            .whereRef('prompt_id', '=', 'prompts.id')
            .as('lastEvent'),
        ])
        .where('account_id', '=', accountId)
        .where('id', 'in', ids)
        .execute();
      return new Map(found.map(({ id, lastVersion, lastEvent }) => [id, { lastVersion: lastVersion ?? 0, lastEvent }]));
    },

    /** The next versions of a prompt, either the deleted ones or the others. */
    async listVersions(
      { accountId, promptId }: PromptOwner,
      { after, deleted, limit }: { after: number; deleted: boolean; limit: number },
    ): Promise<ExportedVersion[]> {
      const versions = db
        .selectFrom('prompt_versions')
        .select(['version', 'syntax', 'content', 'config', 'message', 'created_at as createdAt', 'deleted_at as deletedAt'])
        .select(['by_via as byVia', personColumns('prompt_versions')[1]])
        .where('account_id', '=', accountId)
        .where('prompt_id', '=', promptId)
        .where('version', '>', after);
      return (deleted ? versions.where('deleted_at', 'is not', null) : versions.where(isLive)).orderBy('version').limit(limit).execute();
    },

    async listCases({ accountId, promptId }: PromptOwner): Promise<ExportedCase[]> {
      return db
        .selectFrom('prompt_cases')
        .select(['id', 'name', 'content', 'created_at as createdAt', 'updated_at as updatedAt'])
        .where('account_id', '=', accountId)
        .where('prompt_id', '=', promptId)
        .orderBy('id')
        .execute();
    },

    /** The next entries of a prompt's history, oldest first: ids sort by time. */
    async listEvents({ accountId, promptId }: PromptOwner, { after, limit }: { after: string; limit: number }): Promise<ExportedEvent[]> {
      return db
        .selectFrom('prompt_events')
        .select(['id', 'type', 'detail', 'at', 'by as byVia', personColumns('prompt_events')[1]])
        .where('account_id', '=', accountId)
        .where('prompt_id', '=', promptId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute();
    },
  };
}
