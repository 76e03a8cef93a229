import { type Insertable, type Kysely, sql } from 'kysely';
import type { Database } from '../tables.ts';
import type { ExportedEvent, ExportedVersion } from './export.ts';
import { importedAuthor } from './people.ts';
import type { UsageCounter } from './quota-usage.ts';
import type { PromptVersionTable } from './tables.ts';

/** A version that was made elsewhere. */
export interface ImportedVersion extends ExportedVersion {
  variables: string;
  partials: string;
}

export type ImportedEvent = ExportedEvent;

/** A version that is there already. */
interface StoredVersion extends Pick<ExportedVersion, 'version' | 'syntax' | 'message' | 'createdAt' | 'deletedAt'> {
  /** Whether content and config are those that it was compared with. */
  isSameContent: boolean;
}

interface PromptOwner {
  accountId: string;
  promptId: string;
}

const sizeColumns = [sql<number>`octet_length(content)`.as('contentBytes'), sql<number>`octet_length(config)`.as('configBytes')] as const;

/** Far below the number of parameters that an engine allows in a statement. */
const chunkRows = 200;

/** Entries of a prompt's history, after it was first imported, that are looked through for changes that were made here. */
export const maxNewerEntries = 5000;

/** Inserts what was made elsewhere, with its numbers, ids and dates, and finds what is there already. */
export function createImportStore(db: Kysely<Database>, usage?: UsageCounter) {
  return {
    async insertVersions({ accountId, promptId }: PromptOwner, versions: ImportedVersion[]): Promise<void> {
      for (const version of versions) {
        usage?.add({ versions: 1, contentBytes: Buffer.byteLength(version.content) + Buffer.byteLength(version.config) });
      }
      const rows = versions.map(
        ({ createdAt, deletedAt, byName, byVia, ...version }): Insertable<PromptVersionTable> => ({
          account_id: accountId,
          prompt_id: promptId,
          ...version,
          created_at: createdAt,
          deleted_at: deletedAt,
          by_account_id: importedAuthor,
          by_name: byName,
          by_via: byVia,
        }),
      );
      for (const chunk of chunksOf(rows)) await db.insertInto('prompt_versions').values(chunk).execute();
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
      for (const chunk of chunksOf(rows)) await db.insertInto('prompt_events').values(chunk).execute();
    },

    /**
     * What is stored under the numbers of these versions. Their content is read only where it may be the same, because what is stored may
     * be far larger than what is compared with it.
     */
    async findVersions(
      { accountId, promptId }: PromptOwner,
      versions: Pick<ImportedVersion, 'version' | 'content' | 'config'>[],
    ): Promise<Map<number, StoredVersion>> {
      const found = new Map<number, StoredVersion>();
      const select = (numbers: number[]) =>
        db
          .selectFrom('prompt_versions')
          .where('account_id', '=', accountId)
          .where('prompt_id', '=', promptId)
          .where('version', 'in', numbers);
      for (const chunk of chunksOf(versions)) {
        const given = new Map(chunk.map((version) => [version.version, version]));
        const rows = await select([...given.keys()])
          .select(['version', 'syntax', 'message', 'created_at as createdAt', 'deleted_at as deletedAt', ...sizeColumns])
          .execute();
        for (const { contentBytes, configBytes, ...row } of rows) found.set(row.version, { ...row, isSameContent: false });
        const alike = rows.filter(({ version, contentBytes, configBytes }) => {
          const own = given.get(version);
          return own && Buffer.byteLength(own.content) === contentBytes && Buffer.byteLength(own.config) === configBytes;
        });
        if (alike.length === 0) continue;
        const contents = await select(alike.map(({ version }) => version))
          .select(['version', 'content', 'config'])
          .execute();
        for (const { version, content, config } of contents) {
          const [own, stored] = [given.get(version), found.get(version)];
          if (own && stored) stored.isSameContent = own.content === content && own.config === config;
        }
      }
      return found;
    },

    /** Those of the versions with these numbers that are there and not deleted. */
    async findLive({ accountId, promptId }: PromptOwner, numbers: number[]): Promise<number[]> {
      if (numbers.length === 0) return [];
      const rows = await db
        .selectFrom('prompt_versions')
        .select('version')
        .where('account_id', '=', accountId)
        .where('prompt_id', '=', promptId)
        .where('version', 'in', numbers)
        .where('deleted_at', 'is', null)
        .execute();
      return rows.map(({ version }) => version);
    },

    async countVersions({ accountId, promptId }: PromptOwner): Promise<number> {
      const { count } = await db
        .selectFrom('prompt_versions')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .where('prompt_id', '=', promptId)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** Those of the entries with these ids that there are. */
    async findEvents(
      { accountId, promptId }: PromptOwner,
      ids: string[],
    ): Promise<Map<string, Pick<ImportedEvent, 'id' | 'type' | 'detail' | 'at'>>> {
      const found = [];
      for (const chunk of chunksOf(ids)) {
        const rows = await db
          .selectFrom('prompt_events')
          .select(['id', 'type', 'detail', 'at'])
          .where('account_id', '=', accountId)
          .where('prompt_id', '=', promptId)
          .where('id', 'in', chunk)
          .execute();
        found.push(...rows);
      }
      return new Map(found.map((row) => [row.id, row]));
    },

    /**
     * Whether all that there is of a prompt was imported: nobody has changed it here. What was done here has ids after `firstId`, which
     * few of the imported entries have. If these are too many to look through, it is unknown.
     */
    async findAuthorship({ accountId, promptId }: PromptOwner, firstId: string): Promise<'imported' | 'changed' | 'unknown'> {
      const isOwn = sql<number>`case when coalesce(by_account_id, account_id) = ${importedAuthor} then 0 else 1 end`;
      // Versions that were made here have the last numbers: after one, none is imported.
      const newest = await db
        .selectFrom('prompt_versions')
        .select(isOwn.as('isOwn'))
        .where('account_id', '=', accountId)
        .where('prompt_id', '=', promptId)
        .orderBy('version', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (newest?.isOwn) return 'changed';
      const entries = db
        .selectFrom('prompt_events')
        .select(isOwn.as('isOwn'))
        .where('account_id', '=', accountId)
        .where('prompt_id', '=', promptId)
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

function* chunksOf<T>(items: T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += chunkRows) yield items.slice(start, start + chunkRows);
}
