import { type Insertable, type Kysely, sql } from 'kysely';
import type { PromptType } from '../../contract/versions.ts';
import { type CollectedRows, defineRowWrite } from '../collected-rows.ts';
import type { Database } from '../tables.ts';
import { listDeletedVersions } from './deleted-versions.ts';
import { filterPage, type PromptQuery, selectPage } from './prompt-query.ts';
import type { UsageCounter } from './quota-usage.ts';

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

/** A prompt with its tags, labels and deleted versions. */
export interface PromptOverview extends PromptRecord {
  tags: string[];
  labels: Record<string, number>;
  /** The newest of them, in order. */
  deletedVersions: number[];
}

export function createPromptStore(db: Kysely<Database>, usage?: UsageCounter, collected?: CollectedRows) {
  const prompts = db
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
    ]);

  return {
    async find(accountId: string, name: string): Promise<PromptRecord | undefined> {
      return prompts.where('account_id', '=', accountId).where('name', '=', name).where('deleted_at', 'is', null).executeTakeFirst();
    },

    /** The most recently deleted prompt with this name. An older one may be partly removed already. */
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

    /** A page by name that begins after `skip` prompts, and how many there are in all. */
    async listNumbered(
      accountId: string,
      query: Omit<PromptQuery, 'after' | 'deleted'>,
      skip: number,
    ): Promise<{ prompts: PromptRecord[]; total: number }> {
      const { total } = await filterPage(db.selectFrom('prompts'), accountId, query)
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      if (skip >= total) return { prompts: [], total };
      // First the ids alone: whole prompts take long to sort, and what is skipped has to be sorted too.
      const ids = selectPage(db.selectFrom('prompts').select('id'), accountId, query).offset(skip);
      const page = prompts.where('account_id', '=', accountId).where('id', 'in', ids);
      return { prompts: await page.orderBy('name').execute(), total };
    },

    /**
     * Adds tags, labels and deleted versions with one query each for all prompts. Tags and labels are sorted by prompt first, like the primary
     * keys: for another order, SQLite would walk through those of all other prompts.
     */
    describe: (accountId: string, prompts: PromptRecord[]): Promise<PromptOverview[]> => describe(db, accountId, prompts),

    /** Returns false if the name is taken by a prompt outside the bin, unless rows are collected: then it has to be known that it is not. */
    async insert(accountId: string, prompt: Omit<PromptRecord, 'deletedAt'>): Promise<boolean> {
      usage?.add({ prompts: 1 });
      const row = {
        account_id: accountId,
        id: prompt.id,
        ...toNameColumns(prompt.name),
        type: prompt.type,
        ...toDescriptionColumns(prompt.description),
        latest_version: prompt.latestVersion,
        created_at: prompt.createdAt,
        updated_at: prompt.updatedAt,
        deleted_at: null,
      };
      if (collected) {
        collected.add(promptRows, row);
        return true;
      }
      const result = await db
        .insertInto('prompts')
        .values(row)
        .onConflict((conflict) => conflict.columns(['account_id', 'name']).where('deleted_at', 'is', null).doNothing())
        .executeTakeFirstOrThrow();
      return result.numInsertedOrUpdatedRows === 1n;
    },

    async update(accountId: string, id: string, change: PromptUpdate): Promise<void> {
      if (collected) {
        collectUpdate(collected, { accountId, id }, change);
        return;
      }
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
      const owner = { account_id: accountId, prompt_id: promptId };
      const rows = tags.map((tag) => ({ ...owner, tag }));
      if (collected) {
        collected.add(tagRemovals, owner);
        for (const row of rows) collected.add(tagRows, row);
        return;
      }
      await db.deleteFrom('prompt_tags').where('account_id', '=', accountId).where('prompt_id', '=', promptId).execute();
      if (rows.length > 0) await db.insertInto('prompt_tags').values(rows).execute();
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

/** One row of a statement changes a prompt, so its description and its latest version are set by two. */
function collectUpdate(collected: CollectedRows, { accountId, id }: { accountId: string; id: string }, change: PromptUpdate): void {
  const { name, description, latestVersion, deletedAt, updatedAt } = change;
  if (name !== undefined || deletedAt !== undefined) throw new Error('Prompts are renamed and deleted at once');
  const row = { account_id: accountId, id, updated_at: updatedAt };
  if (description !== undefined) collected.add(descriptionUpdates, { ...row, ...toDescriptionColumns(description) });
  if (description === undefined || latestVersion !== undefined)
    collected.add(latestUpdates, { ...row, latest_version: latestVersion ?? null });
}

export const promptRows = defineRowWrite<Required<Insertable<Database['prompts']>>>(
  {
    account_id: '',
    id: '',
    ...toNameColumns(''),
    type: 'text',
    ...toDescriptionColumns(''),
    latest_version: 0,
    created_at: '',
    updated_at: '',
    deleted_at: null,
  },
  (db, rows) => db.insertInto('prompts').values(rows),
);

// Both engines call the columns of a list of values column1, column2 and so on.
const latestUpdates = defineRowWrite<Record<'account_id' | 'id' | 'updated_at', string> & { latest_version: number | null }>(
  { account_id: '', id: '', updated_at: '', latest_version: null },
  (db, rows) => ({
    compile: () =>
      sql`update prompts set updated_at = changed.column3, latest_version = coalesce(changed.column4, prompts.latest_version)
        from (values ${sql.join(rows.map((row) => sql`(${row.account_id}, ${row.id}, ${row.updated_at}, cast(${row.latest_version} as integer))`))})
        as changed where prompts.account_id = changed.column1 and prompts.id = changed.column2`.compile(db),
  }),
);

const descriptionUpdates = defineRowWrite({ account_id: '', id: '', updated_at: '', ...toDescriptionColumns('') }, (db, rows) => ({
  compile: () =>
    sql`update prompts set updated_at = changed.column3, description = changed.column4, search_description = changed.column5
        from (values ${sql.join(rows.map((row) => sql`(${sql.join(Object.values(row))})`))})
        as changed where prompts.account_id = changed.column1 and prompts.id = changed.column2`.compile(db),
}));

const tagRows = defineRowWrite({ account_id: '', prompt_id: '', tag: '' }, (db, rows) => db.insertInto('prompt_tags').values(rows));

const tagRemovals = defineRowWrite({ account_id: '', prompt_id: '' }, (db, rows) => ({
  compile: () =>
    sql`delete from prompt_tags where (account_id, prompt_id) in
      (values ${sql.join(rows.map((row) => sql`(${row.account_id}, ${row.prompt_id})`))})`.compile(db),
}));

/** The lower-case copy is for search, because the engines' own lower() differs beyond ASCII. */
function toNameColumns(name: string) {
  return { name, search_name: name.toLowerCase() };
}

function toDescriptionColumns(description: string) {
  return { description, search_description: description.toLowerCase() };
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
