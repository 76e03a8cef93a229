import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import type { Person, ServicePerson } from '../../contract/people.ts';
import { contains } from '../contains.ts';
import { hasRows } from '../count-rows.ts';
import { insertRows } from '../insert-rows.ts';
import type { Database } from '../tables.ts';
import { importedAuthor, personColumns, toPerson } from './people.ts';
import { ofPrompt, type PromptOwner } from './prompt-owner.ts';

type HistoryRecord = Pick<Selectable<Database['prompt_events']>, 'id' | 'type' | 'detail' | 'at'> & { by: Person };

export type HistoryWriter = ReturnType<typeof createHistoryWriter>;

/** The maximum number of a prompt's last changes that are searched for deployments. */
const maxChanges = 2000;
/** The maximum number of moves of a label to one version that are read. */
const maxMoves = 2000;

/** Adds entries to the history, inside the transaction of the change. */
export function createHistoryWriter() {
  const rows: Insertable<Database['prompt_events']>[] = [];
  return {
    add(accountId: string, promptId: string, { by, ...event }: HistoryRecord & { by: ServicePerson }): void {
      rows.push({ account_id: accountId, prompt_id: promptId, ...event, by: by.via, by_account_id: by.userId, by_name: by.name });
    },
    /** Stores the entries that were added. */
    finish: (db: Kysely<Database>) => insertRows(db, 'prompt_events', rows),
  };
}

/** Reads the history of prompts. */
export function createHistoryStore(db: Kysely<Database>) {
  return {
    /** Lists entries, newest first. Ids sort by time. */
    async list(accountId: string, promptId: string, page: { before?: string | undefined; limit: number }): Promise<HistoryRecord[]> {
      let query = db
        .selectFrom('prompt_events')
        .select(['id', 'type', 'detail', 'at', 'by as byVia', ...personColumns('prompt_events')])
        .where(ofPrompt({ accountId, promptId }));
      if (page.before !== undefined) query = query.where('id', '<', page.before);
      const rows = await query.orderBy('id', 'desc').limit(page.limit).execute();
      return rows.map(({ byVia, byAccountId, byName, ...event }) => ({ ...event, by: toPerson({ byAccountId, byName, byVia }) }));
    },

    /**
     * Lists the moves of a label to a version, and whether each was made in this workspace and under the prompt's current name. Moves in
     * this workspace come before imported moves, and newer moves come before older ones. The whole history is searched, so that a version
     * can be rolled back to without approvals even after many other changes. The filter is textual, so the caller compares the label and
     * the version once more.
     */
    async listMoves(
      owner: PromptOwner,
      { label, version }: { label: string; version: number },
    ): Promise<{ id: string; at: string; detail: string; isOwn: boolean; isUnderThisName: boolean }[]> {
      const isImported = sql<number>`case when by_account_id = ${importedAuthor} then 1 else 0 end`;
      // The indexes have only rows of these types, and SQLite uses them only if the type is part of the statement.
      const ofType = (type: string) => db.selectFrom('prompt_events').where(ofPrompt(owner)).where('type', '=', sql.lit(type));
      const renamed = await ofType('renamed')
        .where(isImported, '=', 0)
        .select((eb) => eb.fn.max('id').as('id'))
        .executeTakeFirst();
      const rows = await ofType('label_moved')
        .select(['id', 'at', 'detail', isImported.as('isImported')])
        .where(contains('detail', `"label":"${label}"`))
        .where((eb) => eb.or([contains('detail', `"to":${version}}`), contains('detail', `"to":${version},`)]))
        .orderBy('isImported')
        .orderBy('id', 'desc')
        .limit(maxMoves)
        .execute();
      return rows.map(({ isImported, ...row }) => ({
        ...row,
        isOwn: isImported === 0,
        isUnderThisName: row.id > (renamed?.id ?? ''),
      }));
    },

    /**
     * Returns whether one of these versions was saved or imported after an entry of the history, or whether its prompt was created,
     * renamed, copied or restored after that entry. All of these are compared, because the versions and the history of a copy may be older
     * than the copy, and a name may be newer than its prompt.
     */
    async haveChanged(
      accountId: string,
      versions: { promptId: string; version: number }[],
      { id, at }: { id: string; at: string },
    ): Promise<boolean> {
      for (const { promptId, version } of versions) {
        if (promptId.slice(promptId.indexOf('_')) > id.slice(id.indexOf('_'))) return true;
        const named = db
          .selectFrom('prompt_events')
          .where(ofPrompt({ accountId, promptId }))
          .where('id', '>', id)
          .where('type', 'in', ['renamed', 'restored', 'copied', 'moved_in']);
        if (await hasRows(named)) return true;
        const saved = db.selectFrom('prompt_versions').where(ofPrompt({ accountId, promptId })).where('version', '=', version);
        if (await hasRows(saved.where((eb) => eb(eb.fn.coalesce('imported_at', 'created_at'), '>', at)))) return true;
      }
      return false;
    },

    /** Lists the moves of all labels among the prompt's last changes, newest first. */
    async listDeployments({ accountId, promptId }: PromptOwner): Promise<{ detail: string; at: string }[]> {
      const last = db
        .selectFrom('prompt_events')
        .select(['id', 'type', 'detail', 'at'])
        .where(ofPrompt({ accountId, promptId }))
        .orderBy('id', 'desc')
        .limit(maxChanges);
      return db.selectFrom(last.as('last')).select(['detail', 'at']).where('type', '=', 'label_moved').orderBy('id', 'desc').execute();
    },

    /** Finds the person who made the last change to each prompt. For a prompt in the bin, the last change is its deletion. */
    async findLastPeople(accountId: string, promptIds: string[]): Promise<Map<string, Person>> {
      if (promptIds.length === 0) return new Map();
      const rows = await db
        .selectFrom('prompt_events')
        .innerJoin('prompts', (join) =>
          join.onRef('prompts.account_id', '=', 'prompt_events.account_id').onRef('prompts.id', '=', 'prompt_events.prompt_id'),
        )
        .where('prompts.account_id', '=', accountId)
        .where('prompts.id', 'in', promptIds)
        .where('prompt_events.id', '=', (eb) =>
          eb
            .selectFrom('prompt_events as others')
            .whereRef('others.account_id', '=', 'prompts.account_id')
            .whereRef('others.prompt_id', '=', 'prompts.id')
            .select((last) => last.fn.max('others.id').as('id')),
        )
        .select(['prompts.id', 'prompt_events.by as byVia', ...personColumns('prompt_events')])
        .execute();
      return new Map(rows.map(({ id, ...person }) => [id, toPerson(person)]));
    },
  };
}
