import { type Kysely, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { PromptType } from '../../contract/versions.ts';
import type { Database } from '../tables.ts';

export interface PromptRecord {
  id: string;
  name: string;
  type: PromptType;
  description: string;
  latestVersion: number;
  createdAt: string;
  updatedAt: string;
  deletedAt: string | null;
}

/** A prompt with what other tables say of it. */
export interface PromptOverview extends PromptRecord {
  tags: string[];
  labels: Record<string, number>;
}

export interface PromptQuery {
  sort: 'name' | '-updatedAt';
  limit: number;
  /** The sort value and id of the last prompt of the page before. */
  after?: { value: string; id: string } | undefined;
  deleted?: boolean | undefined;
  search?: string | undefined;
  tag?: string | undefined;
  folder?: string | undefined;
  label?: string | undefined;
  names?: string[] | undefined;
}

export function createPromptStore(db: Kysely<Database>) {
  const select = (accountId: string) =>
    db
      .selectFrom('prompts')
      .select([
        'id',
        'name',
        'type',
        'description',
        'latest_version as latestVersion',
        'created_at as createdAt',
        'updated_at as updatedAt',
        'deleted_at as deletedAt',
      ])
      .where('account_id', '=', accountId);

  return {
    async find(accountId: string, name: string): Promise<PromptRecord | undefined> {
      return select(accountId).where('name', '=', name).where('deleted_at', 'is', null).executeTakeFirst();
    },

    /** The one of this name that went to the bin last. */
    async findDeleted(accountId: string, name: string): Promise<PromptRecord | undefined> {
      return select(accountId)
        .where('name', '=', name)
        .where('deleted_at', 'is not', null)
        .orderBy('deleted_at', 'desc')
        .orderBy('id', 'desc')
        .executeTakeFirst();
    },

    /** A page of prompts, found by an index of the account's own whatever the filters. */
    async list(accountId: string, query: PromptQuery): Promise<PromptRecord[]> {
      let page = query.deleted ? select(accountId).where('deleted_at', 'is not', null) : select(accountId).where('deleted_at', 'is', null);
      page = filter(page, accountId, query);
      const { after } = query;
      if (query.deleted) {
        if (after) page = page.where((eb) => eb(eb.refTuple('deleted_at', 'id'), '<', eb.tuple(after.value, after.id)));
        page = page.orderBy('deleted_at', 'desc').orderBy('id', 'desc');
      } else if (query.sort === '-updatedAt') {
        if (after) page = page.where((eb) => eb(eb.refTuple('updated_at', 'id'), '<', eb.tuple(after.value, after.id)));
        page = page.orderBy('updated_at', 'desc').orderBy('id', 'desc');
      } else {
        if (after) page = page.where('name', '>', after.value);
        page = page.orderBy('name');
      }
      return page.limit(query.limit).execute();
    },

    /** Adds tags and labels, with one query each for the whole page. */
    async describe(accountId: string, prompts: PromptRecord[]): Promise<PromptOverview[]> {
      if (prompts.length === 0) return [];
      const ids = prompts.map(({ id }) => id);
      const tags = await db
        .selectFrom('prompt_tags')
        .select(['prompt_id', 'tag'])
        .where('account_id', '=', accountId)
        .where('prompt_id', 'in', ids)
        .orderBy('tag')
        .execute();
      const labels = await db
        .selectFrom('prompt_labels')
        .select(['prompt_id', 'label', 'version'])
        .where('account_id', '=', accountId)
        .where('prompt_id', 'in', ids)
        .orderBy('label')
        .execute();
      const overviews = new Map(prompts.map((prompt): [string, PromptOverview] => [prompt.id, { ...prompt, tags: [], labels: {} }]));
      for (const { prompt_id, tag } of tags) overviews.get(prompt_id)?.tags.push(tag);
      for (const { prompt_id, label, version } of labels) {
        const overview = overviews.get(prompt_id);
        if (overview) overview.labels[label] = version;
      }
      return [...overviews.values()];
    },

    /** False when a living prompt has the name. */
    async insert(accountId: string, prompt: Omit<PromptRecord, 'deletedAt'>): Promise<boolean> {
      const result = await db
        .insertInto('prompts')
        .values({
          account_id: accountId,
          id: prompt.id,
          ...named(prompt.name),
          type: prompt.type,
          ...described(prompt.description),
          latest_version: prompt.latestVersion,
          created_at: prompt.createdAt,
          updated_at: prompt.updatedAt,
          deleted_at: null,
        })
        .onConflict((conflict) => conflict.columns(['account_id', 'name']).where('deleted_at', 'is', null).doNothing())
        .executeTakeFirstOrThrow();
      return result.numInsertedOrUpdatedRows === 1n;
    },

    async update(
      accountId: string,
      id: string,
      change: { name?: string; description?: string; latestVersion?: number; deletedAt?: string | null; updatedAt: string },
    ): Promise<void> {
      await db
        .updateTable('prompts')
        .set({
          ...(change.name !== undefined && named(change.name)),
          ...(change.description !== undefined && described(change.description)),
          ...(change.latestVersion !== undefined && { latest_version: change.latestVersion }),
          ...(change.deletedAt !== undefined && { deleted_at: change.deletedAt }),
          updated_at: change.updatedAt,
        })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .execute();
    },

    async replaceTags(accountId: string, promptId: string, tags: string[]): Promise<void> {
      await db.deleteFrom('prompt_tags').where('account_id', '=', accountId).where('prompt_id', '=', promptId).execute();
      if (tags.length === 0) return;
      await db
        .insertInto('prompt_tags')
        .values(tags.map((tag) => ({ account_id: accountId, prompt_id: promptId, tag })))
        .execute();
    },

    /** Some accounts whose bin holds something older than `time`, those with the oldest first. */
    async listAccountsToEmpty(time: Date): Promise<string[]> {
      const rows = await db
        .selectFrom('prompts')
        .select('account_id')
        .where('deleted_at', '<', time.toISOString())
        .orderBy('deleted_at')
        .limit(1000)
        .execute();
      return [...new Set(rows.map((row) => row.account_id))];
    },

    async emptyBin(accountId: string, time: Date): Promise<void> {
      await db.deleteFrom('prompts').where('account_id', '=', accountId).where('deleted_at', '<', time.toISOString()).execute();
    },
  };
}

function filter<Row>(page: SelectQueryBuilder<Database, 'prompts', Row>, accountId: string, query: PromptQuery) {
  const { search, tag, folder, label, names } = query;
  let result = page;
  if (names) result = result.where('name', 'in', names);
  if (folder !== undefined) {
    // All names that begin with "folder/": "0" is the character that follows "/".
    result = result.where('name', '>=', `${folder}/`).where('name', '<', `${folder}0`);
  }
  if (search) {
    const pattern = `%${search.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
    const matches = (column: 'search_name' | 'search_description') => sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`;
    result = result.where((eb) => eb.or([matches('search_name'), matches('search_description')]));
  }
  if (tag !== undefined) {
    result = result.where('id', 'in', (eb) =>
      eb.selectFrom('prompt_tags').select('prompt_id').where('account_id', '=', accountId).where('tag', '=', tag),
    );
  }
  if (label !== undefined && label !== 'latest') {
    result = result.where('id', 'in', (eb) =>
      eb.selectFrom('prompt_labels').select('prompt_id').where('account_id', '=', accountId).where('label', '=', label),
    );
  }
  return result;
}

/** In lower case a second time, for the search: what that is beyond a to z, the engines do not agree on. */
function named(name: string) {
  return { name, search_name: name.toLowerCase() };
}

function described(description: string) {
  return { description, search_description: description.toLowerCase() };
}
