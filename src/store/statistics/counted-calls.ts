import type { Kysely, Transaction } from 'kysely';
import { runTransaction } from '../transaction.ts';
import { createBatchRunner, type RunStatement } from './batched-statements.ts';
import { insertComments } from './counted-call-statements.ts';
import { closeCalls, insertCalls, insertScores } from './new-results.ts';
import { findRated, takeKnown, takeWaiting, type WaitingKey } from './rated-calls.ts';
import { addUnits } from './release-units.ts';
import type { CommentRow, MeasuredUnit, NewResults, ResultBatch, ResultRows } from './result-batch.ts';
import type { StatisticsDatabase } from './tables.ts';
import { createCountWriter } from './usage-counts.ts';

export function createCountedCallStore(db: Kysely<StatisticsDatabase>) {
  const runInBatches = createBatchRunner(db);
  const addCounts = createCountWriter(db);

  return {
    /**
     * Records a batch completely or not at all. Calls and scores that were already counted are left out, so a batch may be recorded again
     * if the outcome is unknown. `toRows` computes the counters of the new results.
     */
    async recordResults<Measured>(batch: ResultBatch<Measured>, toRows: (results: NewResults<Measured>) => ResultRows): Promise<void> {
      await runTransaction(db, async (transaction) => {
        const run: RunStatement = (statement, rows) => runInBatches(transaction, statement, rows);
        const calls = await insertCalls(run, batch);
        const ended = await closeCalls(run, batch);
        const newScores = await insertScores(run, batch);
        const scores = await findRated(run, newScores, batch.minute);
        const waited = await takeWaiting(transaction, run, calls);
        const complete = calls.filter(({ call }) => call.startedMs === null);
        const rows = toRows({
          calls: [...complete.map(({ call, measured }) => ({ version: call, measured, startedMs: null, unit: call.unit })), ...ended],
          scores: [...scores, ...waited],
        });
        const measured = [...calls.map(({ call }) => call), ...newScores].flatMap(({ accountId, unit }) =>
          unit ? { ...unit, accountId } : [],
        );
        await write(transaction, run, { ...rows, measured, minute: batch.minute });
      });
    },

    /**
     * Reads a page of a workspace's waiting scores, and counts the scores whose calls are now known. This is needed if a call and its score
     * were recorded at the same time on two instances, so that neither instance saw what the other one recorded. Returns the last score of
     * the page, or undefined if there are no more.
     */
    async matchWaiting(
      page: { accountId: string; after: WaitingKey | undefined },
      toRows: (results: NewResults<never>) => ResultRows,
      minute: string,
    ): Promise<WaitingKey | undefined> {
      return runTransaction(db, async (transaction) => {
        const run: RunStatement = (statement, rows) => runInBatches(transaction, statement, rows);
        const { scores, last } = await takeKnown(transaction, run, page);
        if (scores.length > 0) await write(transaction, run, { ...toRows({ calls: [], scores }), measured: [], minute });
        return last;
      });
    },
  };

  async function write(
    transaction: Transaction<StatisticsDatabase>,
    run: RunStatement,
    { counts, units, measured, comments, minute }: ResultRows & { measured: (MeasuredUnit & { accountId: string })[]; minute: string },
  ): Promise<void> {
    await addCounts(transaction, counts);
    await addUnits(run, units, measured);
    await run(insertComments, comments.map(toCommentValues(minute)));
  }
}

function toCommentValues(minute: string) {
  return ({ accountId, promptId, id, at, version, label, name, value, comment }: CommentRow) => [
    ...[accountId, promptId, id, minute, at],
    ...[version, label, name, value, comment],
  ];
}
