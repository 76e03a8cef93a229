import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import { findPinnedVersion, latestLabel } from '../../contract/label-names.ts';
import { batchesOf } from '../insert-rows.ts';
import { type WriteRows, writeAtOnce } from '../row-writes.ts';
import type { Database } from '../tables.ts';
import { personColumns } from './people.ts';
import { ofPrompt } from './prompt-owner.ts';
import type { UsageCounter } from './quota-usage.ts';
import { insertVersions, toVersionRecord, toVersionRow, type VersionRecord, versionColumns } from './version-rows.ts';

type VersionKey = Pick<VersionRecord, 'promptId' | 'version'>;

/** The number of versions that one query reads by their numbers. */
const givenBatch = 100;

/** The data that is needed to include a prompt. It contains the content only on request. */
export type IncludedVersion = Awaited<ReturnType<ReturnType<typeof createVersionStore>['listIncludedVersions']>>[number];

/** The last version number and the last history entry of a prompt. */
export interface PromptExtent {
  /** The highest version number that was ever used. */
  lastVersion: number;
  lastEvent: string | null;
}

/** Both engines can tell the byte length of a large value without reading the value. */
const size = sql<number>`octet_length(content) + octet_length(config) + octet_length(variables)`.as('bytes');

/**
 * The condition that a version is not deleted. It checks the size of the content, which is empty for a deleted version. The content of any
 * other version contains at least two quotation marks. A condition on `deleted_at` would have to read the content, which is stored before
 * that column.
 */
export const isLive = sql<boolean>`octet_length(content) > 0`;

export function createVersionStore(db: Kysely<Database>, usage?: UsageCounter, write: WriteRows = writeAtOnce(db), searched?: Set<string>) {
  /** Lists versions, newest first. */
  async function listLive(accountId: string, promptId: string, { before, limit }: { before?: number | undefined; limit: number }) {
    const live = selectNumbers(accountId, promptId).select(size).where(isLive).orderBy('version', 'desc').limit(limit);
    return (before === undefined ? live : live.where('version', '<', before)).execute();
  }

  function selectLabeled(accountId: string, names: string[], label: string) {
    return selectAtLabel(db, accountId, label).where('prompts.name', 'in', names).where('prompts.deleted_at', 'is', null);
  }

  function selectNumbers(accountId: string, promptId: string) {
    return db.selectFrom('prompt_versions').select('version').where(ofPrompt({ accountId, promptId }));
  }

  function selectOne(accountId: string, promptId: string, version: number) {
    const versions = db.selectFrom('prompt_versions').where('account_id', '=', accountId);
    return versions.where('prompt_id', '=', promptId).where('version', '=', version);
  }

  return {
    async find(accountId: string, promptId: string, version: number): Promise<VersionRecord | undefined> {
      const row = await selectOne(accountId, promptId, version)
        .select([...versionColumns, 'deleted_at as deletedAt'])
        .executeTakeFirst();
      if (!row) return undefined;
      const { deletedAt, ...found } = row;
      return deletedAt === null ? toVersionRecord(found) : undefined;
    },

    /**
     * Returns the config of a version if the version has this syntax and content, and a config of this size. If a size differs, the content
     * is not read.
     */
    async findConfig(
      accountId: string,
      { promptId, version, syntax, content, config }: Pick<VersionRecord, 'promptId' | 'version' | 'syntax' | 'content' | 'config'>,
    ): Promise<string | undefined> {
      const row = await selectOne(accountId, promptId, version)
        .select('config')
        .where('syntax', '=', syntax)
        .where(sql<boolean>`octet_length(content) = ${Buffer.byteLength(content)} and octet_length(config) = ${Buffer.byteLength(config)}`)
        .where('content', '=', content)
        .executeTakeFirst();
      return row?.config;
    },

    /** Finds the highest version number that was ever used, including deleted versions. */
    async findLastNumber(accountId: string, promptId: string): Promise<number> {
      const row = await selectNumbers(accountId, promptId).orderBy('version', 'desc').limit(1).executeTakeFirst();
      return row?.version ?? 0;
    },

    /** Finds the last version number and the last history entry of several prompts. The result is indexed by the prompts' ids. */
    async findExtents(accountId: string, prompts: { id: string }[]): Promise<Map<string, PromptExtent>> {
      if (prompts.length === 0) return new Map();
      const ids = prompts.map(({ id }) => id);
      const last = (table: string, column: string) =>
        sql`(select max(${sql.ref(column)}) from ${sql.table(table)} as t where t.account_id = prompts.account_id and t.prompt_id = prompts.id)`;
      const rows = await db
        .selectFrom('prompts')
        .select(['id', last('prompt_versions', 'version').$castTo<number | null>().as('lastVersion')])
        .select(last('prompt_events', 't.id').$castTo<string | null>().as('lastEvent'))
        .where('account_id', '=', accountId)
        .where('id', 'in', ids)
        .execute();
      return new Map(rows.map(({ id, lastVersion, lastEvent }) => [id, { lastVersion: lastVersion ?? 0, lastEvent }]));
    },

    /** Finds the highest version number below the given number. Deleted versions do not count. */
    async findNumberBelow(accountId: string, promptId: string, version: number): Promise<number | undefined> {
      return (await listLive(accountId, promptId, { before: version, limit: 1 }))[0]?.version;
    },

    /** Lists the configs of one version of each of several prompts, as JSON. */
    async listConfigs(accountId: string, versions: VersionKey[]): Promise<Map<string, string>> {
      const rows = await unionOf(
        versions.map(({ promptId, version }) => selectOne(accountId, promptId, version).select(['prompt_id', 'config'])),
      );
      return new Map(rows.map(({ prompt_id, config }) => [prompt_id, config]));
    },

    /** Lists the versions with these numbers that are not deleted, newest first. */
    async list(accountId: string, promptId: string, numbers: number[]): Promise<VersionRecord[]> {
      if (numbers.length === 0) return [];
      const rows = await db
        .selectFrom('prompt_versions')
        .select(versionColumns)
        .where(ofPrompt({ accountId, promptId }))
        .where('version', 'in', numbers)
        .where(isLive)
        .orderBy('version', 'desc')
        .execute();
      return rows.map(toVersionRecord);
    },

    /** Lists the accounts that contributed to each of these versions. */
    async listAuthors(accountId: string, versions: VersionKey[]): Promise<(VersionKey & { authors: string[] })[]> {
      const found: (VersionKey & { authors: string[] })[] = [];
      for (const batch of batchesOf(versions, givenBatch)) {
        const selects = batch.map(({ promptId, version }) =>
          selectOne(accountId, promptId, version)
            .where('deleted_at', 'is', null)
            .select(['prompt_id as promptId', 'version', 'authors', ...personColumns('prompt_versions')]),
        );
        for (const { promptId, version, authors, byAccountId } of await unionOf(selects)) {
          found.push({ promptId, version, authors: [byAccountId, ...(authors ?? '').split(' ')].filter((id) => id !== '') });
        }
      }
      return found;
    },

    /** Lists the authors, times and messages of the newest versions, without reading their content. */
    async listSummaries(accountId: string, promptId: string, limit: number) {
      const rows = await db
        .selectFrom('prompt_versions')
        .select(['version', 'message', 'created_at as createdAt', 'by_via as byVia', ...personColumns('prompt_versions')])
        .where(ofPrompt({ accountId, promptId }))
        .orderBy('version', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toVersionRecord);
    },

    /** Lists a page of the sizes of versions that are not deleted, newest first, without reading their content. */
    listSizes: listLive,

    /** Lists the versions that a label points at, for several prompts outside the bin. */
    async listLabeled(accountId: string, prompts: { name: string }[], label: string) {
      if (prompts.length === 0) return [];
      const rows = await selectLabeled(accountId, namesOf(prompts), label)
        .select(['prompts.name', 'prompts.type', ...versionColumns])
        .execute();
      return rows.map((row) => ({ ...toVersionRecord(row), label }));
    },

    /** Lists the labeled versions of prompts that templates include. */
    async listIncludedVersions(accountId: string, { names, label, content }: { names: string[]; label: string; content: boolean }) {
      const rows = await selectLabeled(accountId, names, label)
        .select([
          'prompts.name',
          'prompts.type',
          'prompt_versions.prompt_id as promptId',
          'prompt_versions.version',
          'prompt_versions.syntax',
          'prompt_versions.variables',
          'prompt_versions.partials',
        ])
        .$if(content, (query) => query.select('prompt_versions.content'))
        .execute();
      return rows.map((row) => ({ ...row, label }));
    },

    /** Lists the sizes of the versions that `listLabeled` returns, by prompt name, without reading their content. */
    async listLabeledSizes(accountId: string, prompts: { name: string }[], label: string): Promise<Map<string, number>> {
      if (prompts.length === 0) return new Map();
      const found = await selectLabeled(accountId, namesOf(prompts), label).select(['prompts.name', size]).execute();
      return new Map(found.map(({ name, bytes }) => [name, bytes]));
    },

    /** Lists the given versions that are not deleted. */
    async listGiven(accountId: string, versions: VersionKey[]): Promise<VersionRecord[]> {
      const found: VersionRecord[] = [];
      for (const batch of batchesOf(versions, givenBatch)) {
        const selects = batch.map(({ promptId, version }) => selectOne(accountId, promptId, version).select(versionColumns).where(isLive));
        found.push(...(await unionOf(selects)).map(toVersionRecord));
      }
      return found;
    },

    /** Lists the sizes of the versions that `listGiven` returns, without reading their content. */
    async listGivenSizes(accountId: string, versions: VersionKey[]): Promise<(VersionKey & { bytes: number })[]> {
      const found: (VersionKey & { bytes: number })[] = [];
      for (const batch of batchesOf(versions, givenBatch)) {
        const selects = batch.map(({ promptId, version }) =>
          selectOne(accountId, promptId, version).select(['prompt_id as promptId', 'version', size]).where(isLive),
        );
        found.push(...(await unionOf(selects)));
      }
      return found;
    },

    async insert(accountId: string, version: VersionRecord): Promise<void> {
      usage?.add({ versions: 1, contentBytes: Buffer.byteLength(version.content) + Buffer.byteLength(version.config) });
      searched?.add(version.promptId);
      await write(insertVersions, [toVersionRow(accountId, version)]);
    },

    /**
     * Erases a version. The row stays, so that the version's number is never used again. The quotas still count the version, but not its
     * content.
     */
    async erase(accountId: string, { promptId, version, content, config }: VersionRecord, deletedAt: string): Promise<void> {
      const erased = { content: '', config: '{}', variables: '[]', partials: '[]', message: '' };
      const bytes = (texts: { content: string; config: string }) => Buffer.byteLength(texts.content) + Buffer.byteLength(texts.config);
      usage?.add({ contentBytes: bytes(erased) - bytes({ content, config }) });
      searched?.add(promptId);
      await db
        .updateTable('prompt_versions')
        .set({ ...erased, deleted_at: deletedAt })
        .where(ofPrompt({ accountId, promptId }))
        .where('version', '=', version)
        .execute();
    },
  };
}

/**
 * Reads the rows of several queries, each of which selects one version. A single query with a list of pairs may make either engine read all
 * versions of the workspace.
 */
async function unionOf<Row>(queries: SelectQueryBuilder<Database, 'prompt_versions', Row>[]): Promise<Row[]> {
  const [first, ...others] = queries;
  return first ? others.reduce((all, other) => all.unionAll(other), first).execute() : [];
}

const namesOf = (prompts: { name: string }[]) => prompts.map(({ name }) => name);

/** Selects the versions of a workspace's prompts that a label points at. */
export function selectAtLabel(db: Kysely<Database>, accountId: string, label: string) {
  const query = db
    .selectFrom('prompts')
    .innerJoin('prompt_versions', (join) =>
      join.onRef('prompt_versions.account_id', '=', 'prompts.account_id').onRef('prompt_versions.prompt_id', '=', 'prompts.id'),
    )
    .where('prompts.account_id', '=', accountId);
  if (label === latestLabel) return query.whereRef('prompt_versions.version', '=', 'prompts.latest_version');
  const pinned = findPinnedVersion(label);
  if (pinned !== undefined) return query.where('prompt_versions.version', '=', pinned).where(isLive);
  return query.where('prompt_versions.version', '=', (eb) =>
    eb
      .selectFrom('prompt_labels')
      .select('prompt_labels.version')
      .where('prompt_labels.account_id', '=', accountId)
      .whereRef('prompt_labels.prompt_id', '=', 'prompts.id')
      .where('prompt_labels.label', '=', label),
  );
}
