import { type Insertable, type Kysely, type Selection, sql } from 'kysely';
import { foldText } from '../../contract/searched-texts.ts';
import { countRows } from '../count-rows.ts';
import { insertRows } from '../insert-rows.ts';
import { listDistinct } from '../list-distinct.ts';
import { type WriteRows, writeAtOnce } from '../row-writes.ts';
import type { Database } from '../tables.ts';
import { listDeletedVersions } from './deleted-versions.ts';
import { type GivenOrder, listGivenOrder } from './given-order.ts';
import { ofPrompt } from './prompt-owner.ts';
import { filterPage, type PromptFilter, type PromptQuery, selectPage } from './prompt-query.ts';
import type { UsageCounter } from './quota-usage.ts';

const columns = [
  'id',
  'name',
  'type',
  'description',
  'latest_version as latestVersion',
  'created_at as createdAt',
  'updated_at as updatedAt',
  'deleted_at as deletedAt',
] as const;

export type PromptRecord = Selection<Database, 'prompts', (typeof columns)[number]>;

/** A prompt with its tags, labels and deleted versions. */
export interface PromptOverview extends PromptRecord {
  tags: string[];
  labels: Record<string, number>;
  /** The newest deleted versions, in order. */
  deletedVersions: number[];
}

export function createPromptStore(db: Kysely<Database>, usage?: UsageCounter, write: WriteRows = writeAtOnce(db), searched?: Set<string>) {
  const prompts = db.selectFrom('prompts').select(columns);

  return {
    async find(accountId: string, name: string): Promise<PromptRecord | undefined> {
      return prompts.where('account_id', '=', accountId).where('name', '=', name).where('deleted_at', 'is', null).executeTakeFirst();
    },

    /** Finds a prompt that is not in the bin. */
    async findById(accountId: string, id: string): Promise<PromptRecord | undefined> {
      return prompts.where('account_id', '=', accountId).where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst();
    },

    /** Finds prompts outside the bin by their ids. */
    async listById(accountId: string, ids: string[]): Promise<PromptRecord[]> {
      if (ids.length === 0) return [];
      return prompts.where('account_id', '=', accountId).where('id', 'in', ids).where('deleted_at', 'is', null).execute();
    },

    /** Finds the most recently deleted prompt with this name. An older prompt with this name may already be partially removed. */
    async findDeleted(accountId: string, name: string, deletedAfter: Date): Promise<PromptRecord | undefined> {
      return prompts
        .where('account_id', '=', accountId)
        .where('name', '=', name)
        .where('deleted_at', '>', deletedAfter.toISOString())
        .orderBy('deleted_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
    },

    async list(accountId: string, query: PromptQuery): Promise<PromptRecord[]> {
      return selectPage(prompts, accountId, query).execute();
    },

    /** Skips `skip` prompts and lists the next page, sorted by name. Also returns the total number of prompts. */
    async listNumbered(
      accountId: string,
      query: Omit<PromptQuery, 'after' | 'deleted'>,
      skip: number,
    ): Promise<{ prompts: PromptRecord[]; total: number }> {
      const total = await countRows(filterPage(db.selectFrom('prompts'), accountId, query));
      if (skip >= total) return { prompts: [], total };
      // The first query selects only ids, because the skipped prompts have to be sorted too, and sorting whole prompts takes a long time.
      const ids = selectPage(db.selectFrom('prompts').select('id'), accountId, query).offset(skip);
      const page = prompts.where('account_id', '=', accountId).where('id', 'in', ids);
      return { prompts: await page.orderBy('name').execute(), total };
    },

    count: (accountId: string, filter: PromptFilter): Promise<number> => countRows(filterPage(db.selectFrom('prompts'), accountId, filter)),

    /**
     * Lists the folders that directly contain prompts, in order, with the number of these prompts. Prompts without a folder have an empty
     * path. The names are split in JavaScript, because the engines have no function that finds the last slash, and the alternatives take
     * seconds with hostile names.
     */
    async listFolders(accountId: string): Promise<{ path: string; prompts: number }[]> {
      const rows = await filterPage(db.selectFrom('prompts'), accountId, {}).select('name').execute();
      const folders = Map.groupBy(rows, ({ name }) => name.slice(0, Math.max(0, name.lastIndexOf('/'))));
      return [...folders].map(([path, inside]) => ({ path, prompts: inside.length })).sort((a, b) => (a.path < b.path ? -1 : 1));
    },

    /** Lists the tags in use, in order, including those of prompts in the bin. */
    listTags: (accountId: string, limit: number): Promise<string[]> =>
      listDistinct(db, { table: 'prompt_tags', column: 'tag', where: sql`account_id = ${accountId}`, limit }),

    /** Lists the labels in use, in order, including those of prompts in the bin. */
    listLabels: (accountId: string, limit: number): Promise<string[]> =>
      listDistinct(db, { table: 'prompt_labels', column: 'label', where: sql`account_id = ${accountId}`, limit }),

    /**
     * Adds tags, labels and deleted versions with one query each for all prompts. Tags and labels are sorted by prompt first, like the
     * primary keys. For any other order, SQLite would scan the tags and labels of all prompts.
     */
    describe: (accountId: string, prompts: PromptRecord[]): Promise<PromptOverview[]> => describe(db, accountId, prompts),

    listGivenOrder: (accountId: string, ids: string[]): Promise<Map<string, GivenOrder>> => listGivenOrder(db, accountId, ids),

    /**
     * Inserts a prompt. Returns false if the name is taken by a prompt outside the bin. A prompt that is being copied starts in the bin.
     */
    async insert(accountId: string, prompt: Omit<PromptRecord, 'deletedAt'> & Partial<Pick<PromptRecord, 'deletedAt'>>): Promise<boolean> {
      usage?.add({ prompts: 1 });
      searched?.add(prompt.id);
      const result = await db
        .insertInto('prompts')
        .values({
          account_id: accountId,
          id: prompt.id,
          ...toNameColumns(prompt.name),
          type: prompt.type,
          ...toDescriptionColumns(prompt.description),
          latest_version: prompt.latestVersion,
          created_at: prompt.createdAt,
          updated_at: prompt.updatedAt,
          deleted_at: prompt.deletedAt ?? null,
        })
        .onConflict((conflict) => conflict.columns(['account_id', 'name']).where('deleted_at', 'is', null).doNothing())
        .executeTakeFirstOrThrow();
      return result.numInsertedOrUpdatedRows === 1n;
    },

    async update(accountId: string, id: string, change: PromptUpdate): Promise<void> {
      searched?.add(id);
      await db
        .updateTable('prompts')
        .set({
          ...(change.name !== undefined && toNameColumns(change.name)),
          ...(change.description !== undefined && toDescriptionColumns(change.description)),
          ...(change.latestVersion !== undefined && { latest_version: change.latestVersion }),
          ...(change.deletedAt !== undefined && { deleted_at: change.deletedAt }),
          updated_at: change.updatedAt,
        })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .execute();
    },

    async replaceTags(accountId: string, promptId: string, tags: string[]): Promise<void> {
      await db.deleteFrom('prompt_tags').where(ofPrompt({ accountId, promptId })).execute();
      const rows = tags.map((tag, position) => ({ account_id: accountId, prompt_id: promptId, tag, position }));
      await write(insertTags, rows);
    },
  };
}

interface PromptUpdate {
  name?: string;
  description?: string;
  latestVersion?: number;
  deletedAt?: string | null;
  updatedAt: string;
}

const insertTags = (db: Kysely<Database>, rows: Insertable<Database['prompt_tags']>[]) => insertRows(db, 'prompt_tags', rows);

/**
 * Returns the columns of a name. The folded copy is for searches, because the lower() functions of the engines differ for characters beyond
 * ASCII.
 */
function toNameColumns(name: string) {
  return { name, search_name: foldText(name) };
}

function toDescriptionColumns(description: string) {
  return { description, search_description: foldText(description) };
}

async function describe(db: Kysely<Database>, accountId: string, prompts: PromptRecord[]): Promise<PromptOverview[]> {
  if (prompts.length === 0) return [];
  const ids = prompts.map(({ id }) => id);
  const tags = await db
    .selectFrom('prompt_tags')
    .select(['prompt_id', 'tag'])
    .where('account_id', '=', accountId)
    .where('prompt_id', 'in', ids)
    .orderBy('prompt_id')
    .orderBy('tag')
    .execute();
  const labels = await db
    .selectFrom('prompt_labels')
    .select(['prompt_id', 'label', 'version'])
    .where('account_id', '=', accountId)
    .where('prompt_id', 'in', ids)
    .orderBy('prompt_id')
    .orderBy('label')
    .execute();
  const deleted = await listDeletedVersions(db, accountId, ids);
  const overviews = new Map(
    prompts.map((prompt): [string, PromptOverview] => [prompt.id, { ...prompt, tags: [], labels: {}, deletedVersions: [] }]),
  );
  for (const { prompt_id, tag } of tags) overviews.get(prompt_id)?.tags.push(tag);
  for (const { prompt_id, label, version } of labels) {
    const overview = overviews.get(prompt_id);
    if (overview) overview.labels[label] = version;
  }
  for (const { prompt_id, version } of deleted) overviews.get(prompt_id)?.deletedVersions.push(version);
  for (const { deletedVersions } of overviews.values()) deletedVersions.sort((one, other) => one - other);
  return [...overviews.values()];
}
