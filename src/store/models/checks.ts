import type { Kysely } from 'kysely';
import { hasRows } from '../count-rows.ts';
import { ofPrompt, type PromptOwner } from '../prompts/prompt-owner.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';
import { type KeptRows, pruneRuns } from './prune.ts';

/** The version number that is stored for a check run of a candidate. */
export const noVersion = 0;

/** The result of a check run. `summary` and `detail` are JSON. */
interface CheckRecord {
  id: string;
  version: number;
  contentDigest: string;
  hasPassed: boolean;
  /** The digest of the test cases that were run. */
  casesDigest: string;
  createdAt: string;
  summary: string;
  detail: string;
}

export function createCheckStore(db: Kysely<Database>) {
  const select = ({ accountId, promptId }: PromptOwner) => db.selectFrom('prompt_checks').where(ofPrompt({ accountId, promptId }));

  return {
    /** Inserts a check run, and deletes the oldest check runs beyond the limits. */
    async insert({ accountId, promptId }: PromptOwner, record: CheckRecord, kept: KeptRows): Promise<void> {
      const { id, version, contentDigest, hasPassed, casesDigest, createdAt, summary, detail } = record;
      const bytes = Buffer.byteLength(summary) + Buffer.byteLength(detail);
      const key = { account_id: accountId, prompt_id: promptId, id, version, content_digest: contentDigest, created_at: createdAt };
      await runTransaction(db, async (transaction) => {
        await transaction
          .insertInto('prompt_checks')
          .values({ ...key, has_passed: hasPassed ? 1 : 0, cases_digest: casesDigest, bytes, summary, detail })
          .execute();
        await pruneRuns(transaction, { table: 'prompt_checks', accountId, promptId, kept });
      });
    },

    async find(owner: PromptOwner, id: string): Promise<Pick<CheckRecord, 'summary' | 'detail' | 'casesDigest'> | undefined> {
      return select(owner).select(['summary', 'detail', 'cases_digest as casesDigest']).where('id', '=', id).executeTakeFirst();
    },

    /** Lists check runs, newest first, without their details. */
    async list(
      owner: PromptOwner,
      { version, before, limit }: { version?: number | undefined; before?: string | undefined; limit: number },
    ): Promise<Pick<CheckRecord, 'id' | 'summary' | 'casesDigest'>[]> {
      let query = select(owner).select(['id', 'summary', 'cases_digest as casesDigest']);
      if (version !== undefined) query = query.where('version', '=', version);
      if (before !== undefined) query = query.where('id', '<', before);
      return query.orderBy('id', 'desc').limit(limit).execute();
    },

    /** Returns whether a version, or the same content, has passed at least one check run with exactly these test cases. */
    async havePassed(
      owner: PromptOwner,
      { version, contentDigest, casesDigest }: { version?: number | undefined; contentDigest?: string | undefined; casesDigest: string },
    ): Promise<boolean> {
      return hasRows(
        select(owner)
          .where('cases_digest', '=', casesDigest)
          .where('has_passed', '=', 1)
          .where((eb) => eb.or([eb('version', '=', version ?? noVersion), eb('content_digest', '=', contentDigest ?? '')])),
      );
    },
  };
}
