import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';
import { personColumns } from './people.ts';
import { ofPrompt, type PromptOwner } from './prompt-owner.ts';
import { isLive } from './versions.ts';

type ExportStore = ReturnType<typeof createExportStore>;

/** An exported version. `content` and `config` are JSON, and both are empty if the version is deleted. */
export type ExportedVersion = Awaited<ReturnType<ExportStore['listVersions']>>[number];
/** An exported history entry. `detail` is JSON. */
export type ExportedEvent = Awaited<ReturnType<ExportStore['listEvents']>>[number];

/** Reads whole prompts, in batches. */
export function createExportStore(db: Kysely<Database>) {
  return {
    /** Lists the next versions of a prompt: either only deleted versions, or only versions that are not deleted. */
    async listVersions(owner: PromptOwner, { after, deleted, limit }: { after: number; deleted: boolean; limit: number }) {
      const versions = db
        .selectFrom('prompt_versions')
        .select(['version', 'syntax', 'content', 'config', 'message', 'created_at as createdAt', 'deleted_at as deletedAt'])
        .select(['by_via as byVia', personColumns('prompt_versions')[1]])
        .where(ofPrompt(owner))
        .where('version', '>', after);
      return (deleted ? versions.where('deleted_at', 'is not', null) : versions.where(isLive)).orderBy('version').limit(limit).execute();
    },

    /** Lists the next entries of a prompt's history, oldest first. Ids sort by time. */
    async listEvents(owner: PromptOwner, { after, limit }: { after: string; limit: number }) {
      return db
        .selectFrom('prompt_events')
        .select(['id', 'type', 'detail', 'at', 'by as byVia', personColumns('prompt_events')[1]])
        .where(ofPrompt(owner))
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute();
    },
  };
}
