import type { Kysely, Selectable } from 'kysely';
import type { CommentPart } from '../../contract/comment-parts.ts';
import type { Mention } from '../../contract/comments.ts';
import type { ServicePerson } from '../../contract/people.ts';
import { countRows } from '../count-rows.ts';
import type { Database } from '../tables.ts';
import type { PromptOwner } from './prompt-owner.ts';

/** The subject of a thread. Replies have the same values as the first comment. */
export interface CommentSubject {
  proposalId: string | null;
  promptId: string | null;
  version: number | null;
  candidateId: string | null;
}

export interface CommentRecord extends CommentSubject {
  id: string;
  threadId: string;
  by: ServicePerson;
  at: string;
  text: string;
  mentions: Mention[];
  anchor: { part: CommentPart; line: number; quote: string } | null;
  editedAt: string | null;
  deletedAt: string | null;
  resolved: { at: string; by: ServicePerson } | null;
}

type ChangeableFields = Pick<CommentRecord, 'text' | 'mentions' | 'editedAt' | 'deletedAt' | 'resolved'>;

/** The comments that a list contains. Exactly one of `proposalId` and `promptId` is given. */
export interface CommentFilter {
  proposalId?: string | undefined;
  promptId?: string | undefined;
  version?: number | undefined;
  candidateId?: string | undefined;
}

/** Reads and writes the comments of workspaces. Changes run inside `changePrompts`. */
export function createCommentStore(db: Kysely<Database>) {
  const select = (accountId: string) => db.selectFrom('comments').where('account_id', '=', accountId);
  const count = (accountId: string, { proposalId, promptId }: CommentFilter) => {
    let query = select(accountId);
    if (proposalId !== undefined) query = query.where('proposal_id', '=', proposalId);
    if (promptId !== undefined) query = query.where('prompt_id', '=', promptId);
    return countRows(query);
  };

  return {
    async insert(accountId: string, record: CommentRecord): Promise<void> {
      const { id, threadId, by, at, proposalId, promptId, version, candidateId, anchor } = record;
      await db
        .insertInto('comments')
        .values({
          ...{ account_id: accountId, id, thread_id: threadId, user_id: by.userId, by: JSON.stringify(by), at },
          ...{ proposal_id: proposalId, prompt_id: promptId, version, candidate_id: candidateId },
          ...{ part: anchor?.part, line: anchor?.line, quote: anchor?.quote },
          ...toColumns(record),
        })
        .execute();
    },

    async update(accountId: string, { id, ...changed }: ChangeableFields & { id: string }): Promise<void> {
      await db.updateTable('comments').set(toColumns(changed)).where('account_id', '=', accountId).where('id', '=', id).execute();
    },

    async delete(accountId: string, id: string): Promise<void> {
      await db.deleteFrom('comments').where('account_id', '=', accountId).where('id', '=', id).execute();
    },

    async find(accountId: string, id: string): Promise<CommentRecord | undefined> {
      const row = await select(accountId).selectAll().where('id', '=', id).executeTakeFirst();
      return row && toRecord(row);
    },

    /** Lists the comments of a thread, oldest first. */
    async listThread(accountId: string, threadId: string): Promise<CommentRecord[]> {
      const rows = await select(accountId).selectAll().where('thread_id', '=', threadId).orderBy('id').execute();
      return rows.map(toRecord);
    },

    /** Lists comments grouped by thread, the oldest thread first. Within a thread, the oldest comment comes first. */
    async list(
      accountId: string,
      { proposalId, promptId, version, candidateId }: CommentFilter,
      { after, limit }: { after: { threadId: string; id: string } | undefined; limit: number },
    ): Promise<CommentRecord[]> {
      let query = select(accountId).selectAll();
      if (proposalId !== undefined) query = query.where('proposal_id', '=', proposalId);
      if (promptId !== undefined) query = query.where('prompt_id', '=', promptId);
      if (version !== undefined) query = query.where('version', '=', version);
      if (candidateId !== undefined) query = query.where('candidate_id', '=', candidateId);
      if (after) query = query.where((eb) => eb(eb.refTuple('thread_id', 'id'), '>', eb.tuple(after.threadId, after.id)));
      return (await query.orderBy('thread_id').orderBy('id').limit(limit).execute()).map(toRecord);
    },

    /** Counts the comments of a workspace, or of a proposal or prompt in it. */
    count,

    /** Deletes the comments on a version, because their quotes contain its text. */
    async deleteOfVersion({ accountId, promptId }: PromptOwner, version: number): Promise<void> {
      await db
        .deleteFrom('comments')
        .where('account_id', '=', accountId)
        .where('prompt_id', '=', promptId)
        .where('version', '=', version)
        .execute();
    },

    /** Deletes the comments on a candidate. */
    async deleteOfCandidate({ accountId, promptId }: PromptOwner, candidateId: string): Promise<void> {
      await db
        .deleteFrom('comments')
        .where('account_id', '=', accountId)
        .where('prompt_id', '=', promptId)
        .where('candidate_id', '=', candidateId)
        .execute();
    },

    /** Moves the comments on a candidate to the version that was made from it. */
    async moveToVersion(
      { accountId, promptId }: PromptOwner,
      { candidateId, version }: { candidateId: string; version: number },
    ): Promise<void> {
      await db
        .updateTable('comments')
        .set({ candidate_id: null, version })
        .where('account_id', '=', accountId)
        .where('prompt_id', '=', promptId)
        .where('candidate_id', '=', candidateId)
        .execute();
    },
  };
}

function toColumns({ text, mentions, editedAt, deletedAt, resolved }: ChangeableFields) {
  return {
    ...{ text, mentions: JSON.stringify(mentions), edited_at: editedAt, deleted_at: deletedAt },
    ...{ resolved_at: resolved?.at ?? null, resolved_by: resolved && JSON.stringify(resolved.by) },
  };
}

function toRecord(row: Selectable<Database['comments']>): CommentRecord {
  const { part, line, quote, resolved_at: resolvedAt, resolved_by: resolvedBy } = row;
  return {
    ...{ id: row.id, threadId: row.thread_id, at: row.at, text: row.text, editedAt: row.edited_at, deletedAt: row.deleted_at },
    ...{ proposalId: row.proposal_id, promptId: row.prompt_id, version: row.version, candidateId: row.candidate_id },
    // This store wrote the columns, so they have these types.
    by: JSON.parse(row.by) as ServicePerson,
    mentions: JSON.parse(row.mentions) as Mention[],
    anchor: part !== null && line !== null ? { part, line, quote: quote ?? '' } : null,
    resolved: resolvedAt !== null && resolvedBy !== null ? { at: resolvedAt, by: JSON.parse(resolvedBy) as ServicePerson } : null,
  };
}
