import { type Kysely, sql, type Transaction } from 'kysely';
import { deleteBatch } from '../delete-batch.ts';
import { runTransaction } from '../transaction.ts';
import { createBatchRunner } from './batched-statements.ts';
import {
  closeOpen,
  deleteWaiting,
  insertCalled,
  insertComments,
  insertWaiting,
  maxRatedVersions,
  selectOpen,
  selectVersions,
} from './counted-call-statements.ts';
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

/** The target of a score: a call, all calls of a trace, or the call with a response. */
export type RatedRef = CallRef | { traceRef: string } | { responseRef: string };

/** A score, which is counted unless its id was already counted. */
export interface CountedScore {
  accountId: string;
  /** A hash of the score's id. */
  id: string;
  /** Whether the score came without an id. Then the id need not be remembered. */
  isNew: boolean;
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

/** The data that is recorded in one transaction. */
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

/** The maximum number of waiting scores that are taken for 500 references. */
const maxTaken = 2000;
const waitingPage = 1000;
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
     * Rates the calls for which a page of a workspace's scores have waited. This is needed if a call and its score were recorded at the
     * same time on two instances that could not see each other's row. Returns the last score of the page, or undefined if there are no
     * more.
     */
    async matchWaiting(
      { accountId, after }: { accountId: string; after: WaitingKey | undefined },
      toRows: (results: NewResults<never>) => ResultRows,
      minute: string,
    ): Promise<WaitingKey | undefined> {
      return runTransaction(db, async (transaction) => {
        const waiting = await transaction
          .selectFrom('waiting_scores')
          .selectAll()
          .where('account_id', '=', accountId)
          .where(sql<boolean>`(ref, id) > (${after?.ref ?? ''}, ${after?.id ?? ''})`)
          .orderBy('ref')
          .orderBy('id')
          .limit(waitingPage)
          .execute();
        const rated = waiting.map((row) => ({ row, ref: row.ref, ...parseScore(row.score) }));
        const findVersions = await lookUpVersions(transaction, accountId, rated);
        const scores = await takeMatched(
          transaction,
          rated.map(({ row, ref, promptId, score }) => ({ row, score, versions: findVersions({ ref, promptId }) })),
        );
        if (scores.length > 0) {
          const { counts, comments } = toRows({ calls: [], scores });
          await addCounts(transaction, counts);
          await runInBatches(transaction, insertComments, comments.map(toCommentValues(minute)));
        }
        return waiting.length < waitingPage ? undefined : waiting.at(-1);
      });
    },

    /** Returns the next workspace that has rows in a table, or undefined. */
    async findNextAccount(table: ResultTable, afterId: string): Promise<string | undefined> {
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

    /** Deletes a batch of a workspace's rows of this minute and before. Returns the number of deleted rows. */
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
    const [fresh = [], sent = []] = [true, false].map((isNew) => scores.filter((score) => score.isNew === isNew));
    const named = new Map(sent.map((score) => [nameRow({ accountId: score.accountId, traceRef: score.id, spanRef: '' }), score]));
    const inserted = await insertNew(transaction, named, ({ accountId, id }) => [accountId, id, '', null, minute, '', 0, '', '', null]);
    return [...fresh, ...inserted];
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
    for (const [accountId, group] of Map.groupBy(scores, (score) => score.accountId)) {
      const targets = group.flatMap(({ target, promptId }) => ('version' in target ? [] : { ref: nameRated(target), promptId }));
      const findVersions = await lookUpVersions(transaction, accountId, targets);
      for (const { id, target, promptId, score } of group) {
        if ('version' in target) {
          rated.push({ version: target, score });
          continue;
        }
        const ref = nameRated(target);
        const versions = findVersions({ ref, promptId });
        const stored = JSON.stringify({ promptId, score } satisfies WaitingScore);
        if (versions.length === 0) waiting.push([accountId, ref, id, minute, stored]);
        for (const version of versions) rated.push({ version, score });
      }
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
        // The next sweep takes the scores beyond the limit.
        const rows = await ofCalls.limit(maxTaken).execute();
        const found = rows.map((row) => {
          const { promptId, score } = parseScore(row.score);
          const called = (versions.get(row.ref) ?? [])
            .map(({ call }) => call)
            .filter((call) => promptId === undefined || call.promptId === promptId);
          return { row, score, versions: distinct(called) };
        });
        rated.push(...(await takeMatched(transaction, found)));
      }
    }
    return rated;
  }

  /**
   * Deletes the waiting scores that rate a version, and returns what they rate. Another instance may take a score at the same time, when
   * it records another call of the same trace. Only the instance that deletes the row counts the score.
   */
  async function takeMatched(
    transaction: Transaction<StatisticsDatabase>,
    found: { row: WaitingKey & { account_id: string }; score: ScoreValue; versions: CalledVersion[] }[],
  ) {
    const matched = new Map(found.filter(({ versions }) => versions.length > 0).map((score) => [nameWaiting(score.row), score]));
    const sorted = [...matched].sort(([one], [other]) => (one < other ? -1 : 1));
    const deleted = await runInBatches(
      transaction,
      deleteWaiting,
      sorted.map(([, { row }]) => [row.account_id, row.ref, row.id]),
    );
    // The statement returns this column.
    const taken = (deleted as { name: string }[]).flatMap(({ name }) => matched.get(name) ?? []);
    return taken.flatMap(({ score, versions }) => versions.map((version) => ({ version, score })));
  }

  /** Looks up the versions that scores of a workspace rate. Returns a function that finds those of one score. */
  async function lookUpVersions(transaction: Transaction<StatisticsDatabase>, accountId: string, rated: RatedCalls[]) {
    const wanted = new Map(rated.map((calls) => [nameWanted(calls), calls]));
    const versions = new Map<string, CalledVersion[]>();
    for (const [kind, group] of Map.groupBy(wanted, ([, { ref }]) => ref.slice(0, ref.indexOf(separator)))) {
      const statement = selectVersions[kind];
      if (!statement) continue;
      const rows = await runInBatches(
        transaction,
        statement,
        group.map(([name, { ref, promptId }]) => {
          const [, first = '', second = ''] = ref.split(separator);
          return [name, accountId, first, ...(kind === 'call' ? [second] : []), promptId ?? ''];
        }),
      );
      // The statements return these columns.
      for (const { name, ...version } of rows as ({ name: string } & CalledVersion)[]) {
        const found = versions.get(name) ?? [];
        versions.set(name, found);
        found.push({ ...version, accountId });
      }
    }
    return (calls: RatedCalls): CalledVersion[] => versions.get(nameWanted(calls)) ?? [];
  }

  /** Closes open calls, and returns those that were open. */
  async function closeCalls<Measured>(
    transaction: Transaction<StatisticsDatabase>,
    { ends }: ResultBatch<Measured>,
  ): Promise<NewResults<Measured>['calls']> {
    const named = new Map(ends.map((end) => [nameRow(end), end]).toReversed() as [string, CallEnd<Measured>][]);
    const sorted = [...named].sort(([one], [other]) => (one < other ? -1 : 1));
    // The statements return these columns.
    const open = (await runInBatches(
      transaction,
      selectOpen,
      sorted.map(([, { accountId, traceRef, spanRef }]) => [accountId, traceRef, spanRef]),
    )) as ({ name: string; startedMs: number } & Omit<CalledVersion, 'accountId'>)[];
    const calls = new Map(open.map((call) => [call.name, call]));
    // Another instance may close a call at the same time. Only the instance that changes the row counts the call.
    const closed = (await runInBatches(
      transaction,
      closeOpen,
      sorted
        .filter(([name]) => calls.has(name))
        .map(([, { accountId, traceRef, spanRef, model = null }]) => [accountId, traceRef, spanRef, model]),
    )) as { name: string }[];
    return closed.flatMap(({ name }) => {
      const [call, end] = [calls.get(name), named.get(name)];
      if (!call || !end) return [];
      const { promptId, version, label, startedMs } = call;
      const { accountId, model = call.model, measured } = end;
      return { version: { accountId, promptId, version, label, model }, measured, startedMs: Number(startedMs) };
    });
  }
}

interface WaitingScore {
  promptId?: string | undefined;
  score: ScoreValue;
}

// The column contains JSON of this type.
const parseScore = (json: string) => JSON.parse(json) as WaitingScore;

/** The target of a score, and the only prompt whose calls it rates. */
interface RatedCalls {
  ref: string;
  promptId?: string | undefined;
}

/** A waiting score within its workspace. */
interface WaitingKey {
  ref: string;
  id: string;
}

const nameWanted = ({ ref, promptId = '' }: RatedCalls) => `${ref} ${promptId}`;
const nameWaiting = ({ account_id, ref, id }: WaitingKey & { account_id: string }) => `${account_id} ${ref} ${id}`;
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

function toCommentValues(minute: string) {
  return ({ accountId, promptId, id, at, version, label, name, value, comment }: CommentRow) => [
    ...[accountId, promptId, id, minute, at],
    ...[version, label, name, value, comment],
  ];
}
