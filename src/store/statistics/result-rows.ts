import { type Kysely, sql } from 'kysely';
import { deleteBatch } from '../delete-batch.ts';
import type { CommentRow } from './result-batch.ts';
import type { ReleaseTable, ResultTable, StatisticsDatabase } from './tables.ts';

/** Finds and deletes rows of results, and lists the comments of feedback. */
export function createResultRowStore(db: Kysely<StatisticsDatabase>) {
  return {
    /** Returns the next workspace that has rows in a table, or undefined. */
    async findNextAccount(table: ResultTable | ReleaseTable, afterId: string): Promise<string | undefined> {
      const { rows } = await sql<{ id: string }>`select account_id as id from ${sql.table(table)} where account_id > ${afterId}
        order by account_id limit 1`.execute(db);
      return rows[0]?.id;
    },

    /** Finds the minute of the newest row that is not among the newest `kept` rows of a workspace, or undefined if there is none. */
    async findExcessTime(table: ResultTable, accountId: string, kept: number): Promise<string | undefined> {
      const { rows } = await sql<{ time: string }>`select time from ${sql.table(table)} where account_id = ${accountId}
        order by time desc limit 1 offset ${kept}`.execute(db);
      return rows[0]?.time;
    },

    /** Deletes a batch of a workspace's rows from this minute and earlier. Returns the number of deleted rows. */
    deleteOldResults: (table: ResultTable, accountId: string, until: string): Promise<number> =>
      deleteBatch(db, table, sql`account_id = ${accountId} and time <= ${until}`),

    /** Lists a page of the prompts of a workspace that have comments. */
    async listCommentedPrompts(accountId: string, { afterId, limit }: { afterId: string; limit: number }): Promise<string[]> {
      const comments = db.selectFrom('feedback_comments').select('prompt_id as id').distinct().where('account_id', '=', accountId);
      const rows = await comments.where('prompt_id', '>', afterId).orderBy('prompt_id').limit(limit).execute();
      return rows.map(({ id }) => id);
    },

    /** Deletes a batch of the comments on a prompt. Returns the number of deleted rows. */
    deleteComments: ({ accountId, promptId }: { accountId: string; promptId: string }): Promise<number> =>
      deleteBatch(db, 'feedback_comments', sql`account_id = ${accountId} and prompt_id = ${promptId}`),

    /** Lists a page of the comments on a prompt, newest first. */
    async listComments(
      { accountId, promptId, version }: { accountId: string; promptId: string; version: number | undefined },
      { beforeId, limit }: { beforeId: string | undefined; limit: number },
    ): Promise<CommentRow[]> {
      let rows = db.selectFrom('feedback_comments').selectAll().where('account_id', '=', accountId).where('prompt_id', '=', promptId);
      if (version !== undefined) rows = rows.where('version', '=', version);
      if (beforeId !== undefined) rows = rows.where('id', '<', beforeId);
      const found = await rows.orderBy('id', 'desc').limit(limit).execute();
      return found.map(({ account_id, prompt_id, time: _, ...row }) => ({ accountId: account_id, promptId: prompt_id, model: '', ...row }));
    },
  };
}
