import type { Kysely, Selectable, Updateable } from 'kysely';
import type { ServicePerson } from '../../contract/people.ts';
import type { Database } from '../tables.ts';
import { ofPrompt, type PromptOwner } from './prompt-owner.ts';
import type { UsageCounter } from './quota-usage.ts';
import type { Reference } from './references.ts';
import type { VersionRecord } from './version-rows.ts';

/** A stored candidate. JSON columns of its content remain strings, as in a version. */
export interface CandidateRecord extends Pick<VersionRecord, 'syntax' | 'content' | 'config' | 'variables' | 'partials' | 'message'> {
  id: string;
  title: string;
  revision: number;
  baseVersion: number;
  createdAt: string;
  createdBy: ServicePerson;
  changedAt: string;
  changedBy: ServicePerson;
  /** The ids of all accounts that have changed the content. */
  authors: string[];
}

/** The fields that identify a candidate, its authors, and the prompts that it includes. */
export type CandidateFacts = Pick<CandidateRecord, 'id' | 'title' | 'revision' | 'authors'> & { promptId: string; partials: Reference[] };

/**
 * Reads and writes the candidates of prompts. Changes run inside `changePrompts`. The size of candidates counts as content of the
 * workspace.
 */
export function createCandidateStore(db: Kysely<Database>, usage?: UsageCounter) {
  const select = ({ accountId, promptId }: PromptOwner) => db.selectFrom('prompt_candidates').where(ofPrompt({ accountId, promptId }));

  return {
    async insert({ accountId, promptId }: PromptOwner, record: CandidateRecord): Promise<void> {
      const { id, createdAt, createdBy } = record;
      usage?.add({ contentBytes: bytesOf(record) });
      const fixed = { account_id: accountId, prompt_id: promptId, id, created_at: createdAt, created_by: JSON.stringify(createdBy) };
      await db
        .insertInto('prompt_candidates')
        .values({ ...fixed, ...toColumns(record) })
        .execute();
    },

    async update(owner: PromptOwner, before: CandidateRecord, record: CandidateRecord): Promise<void> {
      usage?.add({ contentBytes: bytesOf(record) - bytesOf(before) });
      await db.updateTable('prompt_candidates').set(toColumns(record)).where(ofPrompt(owner)).where('id', '=', record.id).execute();
    },

    async delete(owner: PromptOwner, removed: CandidateRecord): Promise<void> {
      usage?.add({ contentBytes: -bytesOf(removed) });
      await db.deleteFrom('prompt_candidates').where(ofPrompt(owner)).where('id', '=', removed.id).execute();
    },

    async find(owner: PromptOwner, id: string): Promise<CandidateRecord | undefined> {
      const row = await select(owner).selectAll().where('id', '=', id).executeTakeFirst();
      return row && toRecord(row);
    },

    /** Lists candidates, oldest first. */
    async list(owner: PromptOwner, page: { afterId: string; limit: number }): Promise<CandidateRecord[]> {
      const rows = await select(owner).selectAll().where('id', '>', page.afterId).orderBy('id').limit(page.limit).execute();
      return rows.map(toRecord);
    },

    /** Lists the candidates with these ids, without their content, by id. */
    async listGiven(accountId: string, candidates: { promptId: string; id: string }[]): Promise<Map<string, CandidateFacts>> {
      if (candidates.length === 0) return new Map();
      const rows = await db
        .selectFrom('prompt_candidates')
        .select(['prompt_id as promptId', 'id', 'title', 'revision', 'authors', 'partials'])
        .where('account_id', '=', accountId)
        .where('prompt_id', 'in', [...new Set(candidates.map(({ promptId }) => promptId))])
        .where('id', 'in', [...new Set(candidates.map(({ id }) => id))])
        .execute();
      return new Map(
        rows.map(({ authors, partials, ...facts }) => [
          facts.id,
          // This store wrote the columns, so they have these types.
          { ...facts, authors: JSON.parse(authors) as string[], partials: JSON.parse(partials) as Reference[] },
        ]),
      );
    },

    async count(owner: PromptOwner): Promise<number> {
      const { count } = await select(owner)
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}

function toColumns(record: CandidateRecord) {
  const { title, revision, baseVersion, changedAt, changedBy, authors } = record;
  const { message, syntax, config, variables, partials, content } = record;
  return {
    ...{ title, revision, base_version: baseVersion, bytes: bytesOf(record) },
    ...{ changed_at: changedAt, changed_by: JSON.stringify(changedBy), authors: JSON.stringify(authors) },
    ...{ message, syntax, config, variables, partials, content },
  } satisfies Updateable<Database['prompt_candidates']>;
}

function bytesOf({ content, config }: Pick<CandidateRecord, 'content' | 'config'>): number {
  return Buffer.byteLength(content) + Buffer.byteLength(config);
}

function toRecord(row: Selectable<Database['prompt_candidates']>): CandidateRecord {
  const { id, title, revision, message, syntax, config, variables, partials, content } = row;
  return {
    ...{ id, title, revision, message, syntax, config, variables, partials, content },
    baseVersion: row.base_version,
    createdAt: row.created_at,
    // This store wrote the columns, so they have these types.
    createdBy: JSON.parse(row.created_by) as ServicePerson,
    changedAt: row.changed_at,
    changedBy: JSON.parse(row.changed_by) as ServicePerson,
    authors: JSON.parse(row.authors) as string[],
  };
}
