import { type Kysely, type Selectable, sql } from 'kysely';
import type { ServicePerson } from '../../contract/people.ts';
import { type ProposalResult, type StoredProposalState, storedProposalStates, type Verdict } from '../../contract/proposals.ts';
import type { ProposedRelease } from '../../contract/releases.ts';
import { contains } from '../contains.ts';
import { largeBatchRows } from '../delete-batch.ts';
import type { Database } from '../tables.ts';

/** A label that a proposal moves. Exactly one of `version`, `candidate` and `release` is given. */
export interface StoredChange {
  promptId: string;
  label: string;
  version?: number;
  /** The id of a candidate. */
  candidate?: string;
  release?: ProposedRelease;
}

export interface ProposalRecord {
  accountId: string;
  id: string;
  state: StoredProposalState;
  changes: StoredChange[];
  message: string;
  reviewers: string[];
  openedAt: string;
  openedBy: ServicePerson;
  updatedAt: string;
  applyAt: string | null;
  problem: string | null;
  endedAt: string | null;
  endedBy: ServicePerson | null;
  result: ProposalResult[] | null;
}

/** A proposal whose scheduled time has come. */
export interface DueProposal {
  accountId: string;
  id: string;
  applyAt: string;
}

export interface ReviewRecord {
  id: string;
  by: ServicePerson;
  verdict: Verdict;
  text: string;
  revision: string;
  at: string;
}

/** Reads and writes the proposals of workspaces. Changes run inside `changePrompts`. */
export function createProposalStore(db: Kysely<Database>) {
  const select = (accountId: string) => db.selectFrom('proposals').where('account_id', '=', accountId);

  /**
   * Deletes proposals. Comments and reviews are deleted first: if the deletion is interrupted, the next batch finds the proposals again.
   */
  async function remove(proposals: { account_id: string; id: string }[]): Promise<void> {
    for (const { account_id, id } of proposals) {
      await db.deleteFrom('comments').where('account_id', '=', account_id).where('proposal_id', '=', id).execute();
      await db.deleteFrom('proposal_reviews').where('account_id', '=', account_id).where('proposal_id', '=', id).execute();
      await db.deleteFrom('proposals').where('account_id', '=', account_id).where('id', '=', id).execute();
    }
  }

  return {
    async insert(record: ProposalRecord): Promise<void> {
      const { accountId, id, changes, message, reviewers, openedAt, openedBy } = record;
      const fixed = { account_id: accountId, id, changes: JSON.stringify(changes), message, reviewers: JSON.stringify(reviewers) };
      await db
        .insertInto('proposals')
        .values({ ...fixed, opened_at: openedAt, opened_by: JSON.stringify(openedBy), ...toColumns(record) })
        .execute();
    },

    async update(record: ProposalRecord): Promise<void> {
      const { accountId, id } = record;
      await db.updateTable('proposals').set(toColumns(record)).where('account_id', '=', accountId).where('id', '=', id).execute();
    },

    async find(accountId: string, id: string): Promise<ProposalRecord | undefined> {
      const row = await select(accountId).selectAll().where('id', '=', id).executeTakeFirst();
      return row && toRecord(row);
    },

    /** Lists proposals, newest first. */
    async list(
      accountId: string,
      {
        isOpen,
        promptId,
        before,
        limit,
      }: { isOpen?: boolean | undefined; promptId?: string | undefined; before?: string | undefined; limit: number },
    ): Promise<ProposalRecord[]> {
      let query = select(accountId).selectAll();
      if (isOpen !== undefined) query = query.where('state', isOpen ? '=' : '<>', 'open');
      // The ids of prompts contain no quotation marks, and this column contains no text that a person wrote.
      if (promptId !== undefined) query = query.where(contains('changes', `"promptId":"${promptId}"`));
      if (before !== undefined) query = query.where('id', '<', before);
      return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toRecord);
    },

    async countOpen(accountId: string): Promise<number> {
      const { count } = await select(accountId)
        .where('state', '=', 'open')
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** Lists a page of the open proposals of all workspaces whose scheduled time has come, earliest first. */
    async listDue(now: string, after: DueProposal | undefined, limit: number): Promise<DueProposal[]> {
      // The index has only rows with this state, and SQLite uses it only if the state is part of the statement.
      let due = db
        .selectFrom('proposals')
        .select(['account_id as accountId', 'id', 'apply_at as applyAt'])
        .where('state', '=', sql.lit('open'))
        .where('apply_at', '<=', now)
        .$narrowType<{ applyAt: string }>();
      if (after) {
        due = due
          .where('apply_at', '>=', after.applyAt)
          .where((eb) => eb(eb.refTuple('apply_at', 'account_id', 'id'), '>', eb.tuple(after.applyAt, after.accountId, after.id)));
      }
      return due.orderBy('apply_at').orderBy('account_id').orderBy('id').limit(limit).execute();
    },

    /** Lists open proposals of all workspaces that have not changed since a time, and are not scheduled for a later time. */
    async listIdle(before: string, limit: number): Promise<{ accountId: string; id: string }[]> {
      return db
        .selectFrom('proposals')
        .select(['account_id as accountId', 'id'])
        .where('state', '=', sql.lit('open'))
        .where('updated_at', '<', before)
        .where((eb) => eb.or([eb('apply_at', 'is', null), eb('apply_at', '<', before)]))
        .orderBy('updated_at')
        .limit(limit)
        .execute();
    },

    /**
     * Deletes a batch of the proposals that ended before a time, with their reviews and comments. Returns how many proposals it deleted.
     */
    async deleteEnded(before: string): Promise<number> {
      const ended = await db
        .selectFrom('proposals')
        .select(['account_id', 'id'])
        .where('ended_at', '<', before)
        .orderBy('ended_at')
        .limit(largeBatchRows)
        .execute();
      await remove(ended);
      return ended.length;
    },

    /** Deletes the oldest ended proposals of a workspace, except for a fixed number in each state. */
    async deleteExcess(accountId: string, kept: number): Promise<void> {
      for (const state of storedProposalStates.filter((one) => one !== 'open')) {
        const ended = select(accountId).select('id').where('state', '=', state).orderBy('id', 'desc');
        const excess = await ended.offset(kept).limit(largeBatchRows).execute();
        await remove(excess.map(({ id }) => ({ account_id: accountId, id })));
      }
    },

    async deleteReview(accountId: string, proposalId: string, id: string): Promise<void> {
      const ofProposal = db.deleteFrom('proposal_reviews').where('account_id', '=', accountId).where('proposal_id', '=', proposalId);
      await ofProposal.where('id', '=', id).execute();
    },

    async addReview(accountId: string, proposalId: string, { id, by, verdict, text, revision, at }: ReviewRecord): Promise<void> {
      const fixed = { account_id: accountId, proposal_id: proposalId, id, user_id: by.userId, by: JSON.stringify(by) };
      await db
        .insertInto('proposal_reviews')
        .values({ ...fixed, verdict, text, revision, at })
        .execute();
    },

    /** Lists the reviews of the given proposals, oldest first, by proposal id. */
    async listReviews(accountId: string, proposalIds: string[]): Promise<Map<string, ReviewRecord[]>> {
      const reviews = new Map<string, ReviewRecord[]>(proposalIds.map((id) => [id, []]));
      if (proposalIds.length === 0) return reviews;
      const rows = await db
        .selectFrom('proposal_reviews')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('proposal_id', 'in', proposalIds)
        .orderBy('id')
        .execute();
      for (const { proposal_id, id, by, verdict, text, revision, at } of rows)
        reviews.get(proposal_id)?.push({ id, by: JSON.parse(by) as ServicePerson, verdict, text, revision, at });
      return reviews;
    },
  };
}

function toColumns({ state, updatedAt, applyAt, problem, endedAt, endedBy, result }: ProposalRecord) {
  return {
    ...{ state, updated_at: updatedAt, apply_at: applyAt, problem, ended_at: endedAt },
    ended_by: endedBy && JSON.stringify(endedBy),
    result: result && JSON.stringify(result),
  };
}

function toRecord(row: Selectable<Database['proposals']>): ProposalRecord {
  return {
    accountId: row.account_id,
    ...{ id: row.id, state: row.state, message: row.message, problem: row.problem },
    ...{ openedAt: row.opened_at, updatedAt: row.updated_at, applyAt: row.apply_at, endedAt: row.ended_at },
    // This store wrote the columns, so they have these types.
    changes: JSON.parse(row.changes) as StoredChange[],
    reviewers: JSON.parse(row.reviewers) as string[],
    openedBy: JSON.parse(row.opened_by) as ServicePerson,
    endedBy: row.ended_by === null ? null : (JSON.parse(row.ended_by) as ServicePerson),
    result: row.result === null ? null : (JSON.parse(row.result) as ProposalResult[]),
  };
}
