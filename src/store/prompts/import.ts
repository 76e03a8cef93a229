import { type Insertable, type Kysely, sql } from 'kysely';
import { countRows } from '../count-rows.ts';
import { batchesOf, insertRows } from '../insert-rows.ts';
import type { Database } from '../tables.ts';
import type { ExportedEvent, ExportedVersion } from './export.ts';
import { importedAuthor } from './people.ts';
import { ofPrompt, type PromptOwner } from './prompt-owner.ts';
import type { UsageCounter } from './quota-usage.ts';

/** A version from another service. */
export interface ImportedVersion extends ExportedVersion {
  variables: string;
  partials: string;
}

export type ImportedEvent = ExportedEvent;

/** A version that already exists. */
interface StoredVersion extends Pick<ExportedVersion, 'version' | 'syntax' | 'message' | 'createdAt' | 'deletedAt'> {
  /** Whether the version has the same content and config as the imported version with the same number. */
  isSameContent: boolean;
}

/** The maximum number of history entries since the first import that are searched for changes made in this workspace. */
export const maxNewerEntries = 5000;

/** Inserts prompts from another service with their numbers, ids and dates, and finds out which parts already exist. */
export function createImportStore(db: Kysely<Database>, usage?: UsageCounter, searched?: Set<string>) {
  return {
    /**
     * Inserts versions. The importer counts as an author, because the authors in the file may be accounts of another service. For the same
     * reason, the time of the import is stored: everyone can write another `createdAt` into the file.
     */
    async insertVersions({ accountId, promptId }: PromptOwner, versions: ImportedVersion[], importedBy: string): Promise<void> {
      for (const version of versions) {
        usage?.add({ versions: 1, contentBytes: Buffer.byteLength(version.content) + Buffer.byteLength(version.config) });
      }
      const now = new Date().toISOString();
      const rows = versions.map(
        ({ createdAt, deletedAt, byName, byVia, ...version }): Insertable<Database['prompt_versions']> => ({
          account_id: accountId,
          prompt_id: promptId,
          ...version,
          created_at: createdAt,
          deleted_at: deletedAt,
          by_account_id: importedAuthor,
          by_name: byName,
          by_via: byVia,
          authors: importedBy,
          imported_at: now,
        }),
      );
      searched?.add(promptId);
      await insertRows(db, 'prompt_versions', rows);
    },

    async insertEvents({ accountId, promptId }: PromptOwner, events: ImportedEvent[]): Promise<void> {
      const rows = events.map(({ byName, byVia, ...event }) => ({
        account_id: accountId,
        prompt_id: promptId,
        ...event,
        by: byVia,
        by_account_id: importedAuthor,
        by_name: byName,
      }));
      await insertRows(db, 'prompt_events', rows);
    },

    /** Finds the stored versions with these numbers. The content of a version is compared only if its size is the same. */
    async findVersions(
      { accountId, promptId }: PromptOwner,
      versions: Pick<ImportedVersion, 'version' | 'content' | 'config'>[],
    ): Promise<Map<number, StoredVersion>> {
      const found = new Map<number, StoredVersion>();
      for (const batch of batchesOf(versions)) {
        const given = batch.map(({ version, content, config }) => sql`(cast(${version} as integer), ${content}, ${config})`);
        // Both engines name the columns of a list of values column1, column2 and so on.
        const { rows } = await sql<Omit<StoredVersion, 'isSameContent'> & { isSame: number }>`
          select stored.version, syntax, message, created_at as "createdAt", deleted_at as "deletedAt", case
              when octet_length(content) <> octet_length(column2) or octet_length(config) <> octet_length(column3) then 0
              when content = column2 and config = column3 then 1 else 0 end as "isSame"
          from (values ${sql.join(given)}) as given join prompt_versions as stored on version = column1
          where account_id = ${accountId} and prompt_id = ${promptId}`.execute(db);
        for (const { isSame, ...row } of rows) found.set(row.version, { ...row, isSameContent: isSame === 1 });
      }
      return found;
    },

    /** Finds which of these versions exist and are not deleted. */
    async findLive(owner: PromptOwner, numbers: number[]): Promise<number[]> {
      if (numbers.length === 0) return [];
      const rows = await db
        .selectFrom('prompt_versions')
        .select('version')
        .where(ofPrompt(owner))
        .where('version', 'in', numbers)
        .where('deleted_at', 'is', null)
        .execute();
      return rows.map(({ version }) => version);
    },

    async countVersions(owner: PromptOwner): Promise<number> {
      return countRows(db.selectFrom('prompt_versions').where(ofPrompt(owner)));
    },

    /** Finds the existing history entries with these ids. */
    async findEvents(owner: PromptOwner, ids: string[]) {
      const found = [];
      for (const batch of batchesOf(ids)) {
        const rows = await db
          .selectFrom('prompt_events')
          .select(['id', 'type', 'detail', 'at'])
          .where(ofPrompt(owner))
          .where('id', 'in', batch)
          .execute();
        found.push(...rows);
      }
      return new Map(found.map((row) => [row.id, row]));
    },

    /**
     * Finds out whether a prompt was only imported, or also changed in this workspace. History entries for changes in this workspace have
     * ids after `firstId`. Few imported entries have such ids. If there are too many entries to search, the result is `unknown`.
     */
    async findAuthorship(owner: PromptOwner, firstId: string): Promise<'imported' | 'changed' | 'unknown'> {
      const isOwn = sql<number>`case when coalesce(by_account_id, account_id) = ${importedAuthor} then 0 else 1 end`;
      // Versions that were saved in this workspace have the highest numbers, because no versions are imported after them.
      const newest = await db
        .selectFrom('prompt_versions')
        .select(isOwn.as('isOwn'))
        .where(ofPrompt(owner))
        .orderBy('version', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (newest?.isOwn) return 'changed';
      const entries = db
        .selectFrom('prompt_events')
        .select(isOwn.as('isOwn'))
        .where(ofPrompt(owner))
        .where('id', '>', firstId)
        .orderBy('id', 'desc')
        .limit(maxNewerEntries + 1);
      const { count, hasOwn } = await db
        .selectFrom(entries.as('entries'))
        .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max<number | null>('isOwn').as('hasOwn')])
        .executeTakeFirstOrThrow();
      if (hasOwn === 1) return 'changed';
      return Number(count) > maxNewerEntries ? 'unknown' : 'imported';
    },
  };
}
