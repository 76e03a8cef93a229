import { type Kysely, sql, type Transaction } from 'kysely';
import { deleteBatch } from '../delete-batch.ts';
import { runTransaction } from '../transaction.ts';
import { createBatchRunner, type RowStatement } from './batched-statements.ts';
import type { ResultTable, StatisticsDatabase } from './tables.ts';
import { createResultWriter, type ResultCounts } from './usage-counts.ts';

/** The version that a call used, with the names under which the call is counted. */
export interface CalledVersion {
  accountId: string;
  promptId: string;
  version: number;
  label: string;
  model: string;
}

/** A call, which is counted unless its references were already counted. */
export interface CountedCall extends CalledVersion, CallRef {
  responseRef: string | null;
  /** Set if the end of the call follows. */
  startedMs: number | null;
}

export interface CallRef {
  traceRef: string;
  spanRef: string;
}

/** What a score rates: a call, all calls of a trace, or the call with a response. */
export type RatedRef = CallRef | { traceRef: string } | { responseRef: string };

/** A score, which is counted unless its id was already counted. */
export interface CountedScore {
  accountId: string;
  /** A hash of the score's id. */
  id: string;
  /** The version that is rated, or a reference to the rated calls. */
  target: CalledVersion | RatedRef;
  /** If set, only calls of this prompt are rated. */
  promptId: string | undefined;
  score: ScoreValue;
}

export interface ScoreValue {
  name: string;
  value: number | boolean | string;
  comment: string | undefined;
}

/** The end of an open call. */
export interface CallEnd<Measured> extends CallRef {
  accountId: string;
  /** The model, if the end names it. */
  model: string | undefined;
  measured: Measured;
}

/** What is recorded in one transaction. */
export interface ResultBatch<Measured> {
  /** The minute of the arrival, such as `2026-03-01T14:05`. */
  minute: string;
  calls: { call: CountedCall; measured: Measured }[];
  ends: CallEnd<Measured>[];
  scores: CountedScore[];
}

/** The calls and scores of a batch that were not counted before. */
export interface NewResults<Measured> {
  calls: { version: CalledVersion; measured: Measured; startedMs: number | null }[];
  scores: { version: CalledVersion; score: ScoreValue }[];
}

export interface CommentRow extends CalledVersion {
  id: string;
  at: string;
  name: string;
  value: string;
  comment: string;
}

/** The counters and comments that follow from new results. */
export interface ResultRows {
  counts: ResultCounts;
  comments: CommentRow[];
}

/** The number of versions that a score of a whole trace rates. */
const maxRatedVersions = 10;
const separator = '.';

export function createCountedCallStore(db: Kysely<StatisticsDatabase>) {
  const runInBatches = createBatchRunner(db);
  const addCounts = createResultWriter(db);

  return {
    /**
     * Records a batch completely or not at all. Calls and scores that were already counted are left out, so a batch may be recorded again if
     * the outcome is unknown. `toRows` computes the counters of the new results.
     */
    async recordResults<Measured>(batch: ResultBatch<Measured>, toRows: (results: NewResults<Measured>) => ResultRows): Promise<void> {
      await runTransaction(db, async (transaction) => {
        const calls = await insertCalls(transaction, batch);
        const ended = await closeCalls(transaction, batch);
        const scores = await findRated(transaction, await insertScores(transaction, batch), batch.minute);
        const waited = await takeWaiting(transaction, calls);
        const complete = calls.filter(({ call }) => call.startedMs === null);
        const { counts, comments } = toRows({
          calls: [...complete.map(({ call, measured }) => ({ version: call, measured, startedMs: null })), ...ended],
          scores: [...scores, ...waited],
        });
        await addCounts(transaction, counts);
        await runInBatches(transaction, insertComments, comments.map(toCommentValues(batch.minute)));
      });
    },

    /**
     * Counts waiting scores whose calls are known by now. Such scores exist if a call and its score were recorded at the same time on two
     * instances, because neither transaction saw the other.
     */
    async matchWaiting(accountId: string, toRows: (results: NewResults<never>) => ResultRows, minute: string): Promise<void> {
      await runTransaction(db, async (transaction) => {
        const waiting = await transaction
          .selectFrom('waiting_scores')
          .selectAll()
          .where('account_id', '=', accountId)
          .limit(1000)
          .execute();
        const found = await Promise.all(waiting.map(async (row) => ({ row, versions: await findVersions(transaction, row) })));
        const matched = found.filter(({ versions }) => versions.length > 0);
        if (matched.length === 0) return;
        await deleteWaiting(
          transaction,
          matched.map(({ row }) => row),
        );
        const scores = matched.flatMap(({ row, versions }) => versions.map((version) => ({ version, score: parseScore(row.score).score })));
        const { counts, comments } = toRows({ calls: [], scores });
        await addCounts(transaction, counts);
        await runInBatches(transaction, insertComments, comments.map(toCommentValues(minute)));
      });
    },

    /** Returns the next workspace that has rows in a table, or undefined. */
    async findNextAccount(table: ResultTable, afterId: string): Promise<string | undefined> {
      const { rows } = await sql<{ id: string }>`select account_id as id from ${sql.table(table)} where account_id > ${afterId}
        order by account_id limit 1`.execute(db);
      return rows[0]?.id;
    },

    /**
     * Deletes a batch of a workspace's rows that are older than `before`, or that are not among the newest `kept`. Returns the number of
     * deleted rows.
     */
    async deleteOldResults(table: ResultTable, accountId: string, { before, kept }: { before: string; kept: number }): Promise<number> {
      const { rows } = await sql<{ time: string }>`select time from ${sql.table(table)} where account_id = ${accountId}
        order by time desc limit 1 offset ${kept}`.execute(db);
      const first = rows[0]?.time ?? '';
      return deleteBatch(db, table, sql`account_id = ${accountId} and time <= ${first > before ? first : before}`);
    },

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

  /** Inserts the calls that are not counted yet, and returns them. */
  async function insertCalls<Measured>(transaction: Transaction<StatisticsDatabase>, { minute, calls }: ResultBatch<Measured>) {
    const named = new Map(calls.map((counted) => [nameRow(counted.call), counted]));
    return insertNew(transaction, named, ({ call }) => [
      ...[call.accountId, call.traceRef, call.spanRef, call.responseRef, minute],
      ...[call.promptId, call.version, call.label, call.model, call.startedMs],
    ]);
  }

  /** Inserts the ids of scores, and returns the scores that are new. */
  async function insertScores(
    transaction: Transaction<StatisticsDatabase>,
    { minute, scores }: Pick<ResultBatch<never>, 'minute' | 'scores'>,
  ) {
    const named = new Map(scores.map((score) => [nameRow({ accountId: score.accountId, traceRef: score.id, spanRef: '' }), score]));
    return insertNew(transaction, named, ({ accountId, id }) => [accountId, id, '', null, minute, '', 0, '', '', null]);
  }

  /** Inserts and returns the items that are not counted yet. The rows are sorted, so that instances that count the same items do not deadlock. */
  async function insertNew<Item>(
    transaction: Transaction<StatisticsDatabase>,
    named: Map<string, Item>,
    toRow: (item: Item) => (string | number | null)[],
  ): Promise<Item[]> {
    const sorted = [...named].sort(([one], [other]) => (one < other ? -1 : 1));
    const inserted = await runInBatches(
      transaction,
      insertCalled,
      sorted.map(([, item]) => toRow(item)),
    );
    if (inserted.length === sorted.length) return sorted.map(([, item]) => item);
    // The statement returns this column.
    return (inserted as { name: string }[]).flatMap(({ name }) => named.get(name) ?? []);
  }

  /** Finds the versions that scores rate. A score of a call that is not known yet is stored until the call arrives. */
  async function findRated(transaction: Transaction<StatisticsDatabase>, scores: CountedScore[], minute: string) {
    const rated: NewResults<never>['scores'] = [];
    const waiting: (string | number | null)[][] = [];
    for (const { accountId, id, target, promptId, score } of scores) {
      if ('version' in target) {
        rated.push({ version: target, score });
        continue;
      }
      const ref = nameRated(target);
      const stored = JSON.stringify({ promptId, score } satisfies WaitingScore);
      const versions = await findVersions(transaction, { account_id: accountId, ref, score: stored });
      if (versions.length === 0) waiting.push([accountId, ref, id, minute, stored]);
      for (const version of versions) rated.push({ version, score });
    }
    await runInBatches(transaction, insertWaiting, waiting);
    return rated;
  }

  /** Takes the scores that have waited for these calls. */
  async function takeWaiting(transaction: Transaction<StatisticsDatabase>, calls: { call: CountedCall }[]) {
    const rated: NewResults<never>['scores'] = [];
    for (const [accountId, group] of Map.groupBy(calls, ({ call }) => call.accountId)) {
      const exists = await transaction.selectFrom('waiting_scores').select('id').where('account_id', '=', accountId).limit(1).execute();
      if (exists.length === 0) continue;
      const versions = Map.groupBy(
        group.flatMap(({ call }) => refsOf(call).map((ref) => ({ ref, call }))),
        ({ ref }) => ref,
      );
      for (const refs of chunk([...versions.keys()], 500)) {
        const ofCalls = transaction.selectFrom('waiting_scores').selectAll().where('account_id', '=', accountId).where('ref', 'in', refs);
        const rows = await ofCalls.execute();
        const taken = rows.map((row) => {
          const { promptId, score } = parseScore(row.score);
          const called = (versions.get(row.ref) ?? [])
            .map(({ call }) => call)
            .filter((call) => promptId === undefined || call.promptId === promptId);
          return { row, score, versions: distinct(called) };
        });
        const matched = taken.filter(({ versions: found }) => found.length > 0);
        await deleteWaiting(
          transaction,
          matched.map(({ row }) => row),
        );
        for (const { score, versions: found } of matched) rated.push(...found.map((version) => ({ version, score })));
      }
    }
    return rated;
  }
}

/** Closes open calls, and returns those that were open. */
async function closeCalls<Measured>(
  transaction: Transaction<StatisticsDatabase>,
  { ends }: ResultBatch<Measured>,
): Promise<NewResults<Measured>['calls']> {
  const closed: NewResults<Measured>['calls'] = [];
  for (const { accountId, traceRef, spanRef, model, measured } of ends) {
    const open = transaction
      .selectFrom('counted_calls')
      .select(['prompt_id as promptId', 'version', 'label', 'model', 'started_ms as startedMs'])
      .where('account_id', '=', accountId)
      .where('trace_ref', '=', traceRef)
      .where('span_ref', '=', spanRef)
      .where('started_ms', 'is not', null);
    const call = await open.executeTakeFirst();
    if (!call) continue;
    const { numUpdatedRows } = await transaction
      .updateTable('counted_calls')
      .set({ started_ms: null, ...(model !== undefined && { model }) })
      .where('account_id', '=', accountId)
      .where('trace_ref', '=', traceRef)
      .where('span_ref', '=', spanRef)
      .where('started_ms', 'is not', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) continue;
    const { startedMs, ...version } = call;
    closed.push({ version: { accountId, ...version, ...(model !== undefined && { model }) }, measured, startedMs: Number(startedMs) });
  }
  return closed;
}

interface WaitingScore {
  promptId?: string | undefined;
  score: ScoreValue;
}

// The column contains JSON of this type.
const parseScore = (json: string) => JSON.parse(json) as WaitingScore;

/** Finds the versions that a score rates. */
async function findVersions(
  db: Kysely<StatisticsDatabase>,
  { account_id: accountId, ref, score }: { account_id: string; ref: string; score: string },
): Promise<CalledVersion[]> {
  const [kind, first = '', second = ''] = ref.split(separator);
  const { promptId } = parseScore(score);
  let rows = db
    .selectFrom('counted_calls')
    .select(['prompt_id as promptId', 'version', 'label', 'model'])
    .where('account_id', '=', accountId)
    .where('prompt_id', promptId === undefined ? '!=' : '=', promptId ?? '');
  rows = kind === 'response' ? rows.where('response_ref', '=', first) : rows.where('trace_ref', '=', first);
  if (kind === 'call') rows = rows.where('span_ref', '=', second);
  const found = await rows.distinct().orderBy('prompt_id').orderBy('version').limit(maxRatedVersions).execute();
  return found.map((version) => ({ accountId, ...version }));
}

/** Deletes waiting scores. */
async function deleteWaiting(transaction: Transaction<StatisticsDatabase>, rows: { account_id: string; ref: string; id: string }[]) {
  for (const { account_id, ref, id } of rows) {
    const row = transaction.deleteFrom('waiting_scores').where('account_id', '=', account_id).where('ref', '=', ref);
    await row.where('id', '=', id).execute();
  }
}

const nameRow = ({ accountId, traceRef, spanRef }: CallRef & { accountId: string }) => `${accountId} ${traceRef} ${spanRef}`;

/** Returns the name under which a score waits. */
function nameRated(ref: RatedRef): string {
  if ('responseRef' in ref) return ['response', ref.responseRef].join(separator);
  return 'spanRef' in ref ? ['call', ref.traceRef, ref.spanRef].join(separator) : ['trace', ref.traceRef].join(separator);
}

/** Returns the names under which scores of a call may wait. */
function refsOf({ traceRef, spanRef, responseRef }: CountedCall): string[] {
  return [nameRated({ traceRef }), nameRated({ traceRef, spanRef }), ...(responseRef === null ? [] : [nameRated({ responseRef })])];
}

function distinct(calls: CalledVersion[]): CalledVersion[] {
  const byKey = new Map(calls.map((call) => [`${call.promptId}\n${call.version}\n${call.label}\n${call.model}`, call]));
  return [...byKey.values()].slice(0, maxRatedVersions);
}

function chunk<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}

const insertCalled: RowStatement = (db, rowCount) =>
  db
    .insertInto('counted_calls')
    .values(
      Array(rowCount).fill({
        account_id: '',
        trace_ref: '',
        span_ref: '',
        response_ref: '',
        time: '',
        prompt_id: '',
        version: 0,
        label: '',
        model: '',
        started_ms: 0,
      }),
    )
    .onConflict((conflict) => conflict.columns(['account_id', 'trace_ref', 'span_ref']).doNothing())
    .returning(sql<string>`account_id || ' ' || trace_ref || ' ' || span_ref`.as('name'));

const insertWaiting: RowStatement = (db, rowCount) =>
  db
    .insertInto('waiting_scores')
    .values(Array(rowCount).fill({ account_id: '', ref: '', id: '', time: '', score: '' }))
    .onConflict((conflict) => conflict.columns(['account_id', 'ref', 'id']).doNothing());

const insertComments: RowStatement = (db, rowCount) =>
  db
    .insertInto('feedback_comments')
    .values(
      Array(rowCount).fill({
        account_id: '',
        prompt_id: '',
        id: '',
        time: '',
        at: '',
        version: 0,
        label: '',
        name: '',
        value: '',
        comment: '',
      }),
    )
    .onConflict((conflict) => conflict.columns(['account_id', 'prompt_id', 'id']).doNothing());

function toCommentValues(minute: string) {
  return ({ accountId, promptId, id, at, version, label, name, value, comment }: CommentRow) => [
    ...[accountId, promptId, id, minute, at],
    ...[version, label, name, value, comment],
  ];
}
