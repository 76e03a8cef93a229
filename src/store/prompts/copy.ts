import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../tables.ts';
import { importedAuthor } from './people.ts';
import { ofPrompt, type PromptOwner } from './prompt-owner.ts';
import type { UsageCounter } from './quota-usage.ts';

/** The prompt from which rows are copied, and the prompt to which they are copied. */
export interface CopyPath {
  from: PromptOwner;
  to: PromptOwner;
  /** The account that copies the prompt, which counts as an author of the copied versions. */
  copiedBy: string;
}

/**
 * How many versions and history entries a prompt has, and the last version and the last entry. Every change to a prompt adds a history
 * entry, so these values show whether the prompt has changed.
 */
export interface PromptExtents {
  versions: number;
  lastVersion: number;
  events: number;
  lastEvent: string;
}

/** The maximum number of bytes that one transaction copies. With the embedded database, all other requests wait for the transaction. */
const batchBytes = 1024 * 1024;

/**
 * Copies the rows of a prompt to a new prompt inside the database, in batches. For authors who cannot act in the new prompt's workspace,
 * only the names are copied, so that its members learn nothing else about them.
 */
export function createCopyStore(db: Kysely<Database>, usage?: UsageCounter, searched?: Set<string>) {
  return {
    /** Finds the extents of a prompt, which show whether the prompt has changed and whether a copy is complete. */
    async findExtents(owner: PromptOwner): Promise<PromptExtents> {
      const { rows } = await sql<PromptExtents>`select
        (select count(*) from prompt_versions where ${ofPrompt(owner)}) as versions,
        (select coalesce(max(version), 0) from prompt_versions where ${ofPrompt(owner)}) as "lastVersion",
        (select count(*) from prompt_events where ${ofPrompt(owner)}) as events,
        (select coalesce(max(id), '') from prompt_events where ${ofPrompt(owner)}) as "lastEvent"`.execute(db);
      const [{ versions, lastVersion, events, lastEvent }] = rows as [PromptExtents];
      return { versions: Number(versions), lastVersion, events: Number(events), lastEvent };
    },

    /**
     * Copies the versions after a number, with their references to included prompts. Returns the last version that was copied, or undefined
     * if there was none.
     */
    async copyVersions({ from, to, copiedBy }: CopyPath, { after, limit }: { after: number; limit: number }): Promise<number | undefined> {
      const found = await db
        .selectFrom('prompt_versions')
        .select(['version', sql<number>`octet_length(content) + octet_length(config)`.as('bytes')])
        .where(ofPrompt(from))
        .where('version', '>', after)
        .orderBy('version')
        .limit(limit)
        .execute();
      const batch = takeBytes(found);
      const last = batch.at(-1)?.version;
      if (last === undefined) return undefined;
      usage?.add({ versions: batch.length, contentBytes: batch.reduce((sum, { bytes }) => sum + bytes, 0) });
      searched?.add(to.promptId);
      const copied = sql`from prompt_versions where ${ofPrompt(from)} and version > ${after} and version <= ${last}`;
      await sql`insert into prompt_versions (account_id, prompt_id, version, syntax, content, config, variables, partials, message,
          created_at, deleted_at, by_account_id, by_name, by_via, authors)
        select ${to.accountId}, ${to.promptId}, version, syntax, content, config, variables, partials, message, created_at, deleted_at,
          ${authorId('prompt_versions', { from, to })}, ${authorName('prompt_versions')}, by_via, ${allAuthors(from, copiedBy)} ${copied}`.execute(
        db,
      );
      await sql`insert into prompt_references (account_id, prompt_id, version, name, label)
        select ${to.accountId}, ${to.promptId}, version, name, label from prompt_references
        where ${ofPrompt(from)} and version > ${after} and version <= ${last}`.execute(db);
      return last;
    },

    /**
     * Copies the history entries after an id. Label moves are marked as copied. Unlike other moves, they do not allow anyone to move a
     * gated label back to a version without passing checks. Returns the last entry that was copied, or undefined if there was none.
     */
    async copyEvents({ from, to }: CopyPath, { after, limit }: { after: string; limit: number }): Promise<string | undefined> {
      // The detail is always a JSON object that was written by JSON.stringify.
      const detail = sql`case when type = 'label_moved' and detail not like '%"copied":true}'
        then substr(detail, 1, length(detail) - 1) || ',"copied":true}' else detail end`;
      const { rows } = await sql<{
        id: string;
      }>`insert into prompt_events (account_id, prompt_id, id, type, detail, at, "by", by_account_id, by_name)
        select ${to.accountId}, ${to.promptId}, id, type, ${detail}, at, "by", ${authorId('prompt_events', { from, to })}, ${authorName('prompt_events')}
        from prompt_events where ${ofPrompt(from)} and id > ${after} order by id limit ${sql.lit(limit)} returning id`.execute(db);
      return rows.reduce<string | undefined>((last, { id }) => (last === undefined || id > last ? id : last), undefined);
    },

    /** Copies the test cases, whose size is limited. */
    async copyCases({ from, to }: CopyPath): Promise<void> {
      const { rows } = await sql<{ bytes: number }>`insert into prompt_cases
          (account_id, prompt_id, id, name, content, digest, bytes, created_at, updated_at)
        select ${to.accountId}, ${to.promptId}, id, name, content, digest, bytes, created_at, updated_at
        from prompt_cases where ${ofPrompt(from)} returning bytes`.execute(db);
      usage?.add({ contentBytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) });
    },

    /** Makes a staged prompt visible. Returns false if it is no longer staged. */
    async publish(
      { accountId, promptId }: PromptOwner,
      { stagedAt, updatedAt }: { stagedAt: string; updatedAt: string },
    ): Promise<boolean> {
      const result = await db
        .updateTable('prompts')
        .set({ deleted_at: null, updated_at: updatedAt })
        .where('account_id', '=', accountId)
        .where('id', '=', promptId)
        .where('deleted_at', '=', stagedAt)
        .executeTakeFirstOrThrow();
      return result.numUpdatedRows === 1n;
    },
  };
}

/** Returns as many of the first rows as fit into the batch, but at least one. */
function takeBytes<T extends { bytes: number }>(rows: T[]): T[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += row.bytes;
    return index > 0 && bytes > batchBytes;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

/** Selects the ids of all authors of a version, each once. */
function allAuthors({ accountId }: PromptOwner, copiedBy: string): RawBuilder<string> {
  const add = (list: RawBuilder<string>, id: RawBuilder<string>) =>
    sql<string>`case when ${id} = '' or replace(${list}, ${id}, '') <> ${list} then ${list} else ${list} || ' ' || ${id} end`;
  const known = add(sql`coalesce(authors, '')`, sql`coalesce(by_account_id, ${accountId})`);
  return add(known, sql`cast(${copiedBy} as text)`);
}

type AuthoredTable = 'prompt_versions' | 'prompt_events';

/** Selects the author's account, if it can act in the workspace of the copy. A row without an author was written by the owner. */
function authorId(table: AuthoredTable, { from, to }: Pick<CopyPath, 'from' | 'to'>): RawBuilder<string> {
  const id = sql`coalesce(${sql.ref(`${table}.by_account_id`)}, ${from.accountId})`;
  if (from.accountId === to.accountId) return sql<string>`${id}`;
  return sql<string>`case when ${id} = ${to.accountId} or exists (
    select 1 from memberships where workspace_id = ${to.accountId} and memberships.account_id = ${id}) then ${id} else ${importedAuthor} end`;
}

function authorName(table: AuthoredTable): RawBuilder<string> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<string>`coalesce(${column('by_name')}, (select accounts.name from accounts where accounts.id = ${column('account_id')}))`;
}
