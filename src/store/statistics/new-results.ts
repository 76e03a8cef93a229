import type { RowStatement, RunStatement } from './batched-statements.ts';
import { closeOpen, insertCalled, selectOpen } from './counted-call-statements.ts';
import { fromUnitRef, toUnitRef } from './release-units.ts';
import type { CallEnd, CalledVersion, CallRef, CountedScore, NewCall, ResultBatch } from './result-batch.ts';

// The functions in this file find the calls and scores that were not counted before.

/** Inserts the calls that are not counted yet, and returns them. */
export function insertCalls<Measured>(run: RunStatement, { minute, calls }: ResultBatch<Measured>) {
  const named = new Map(calls.map((counted) => [nameRow(counted.call), counted]));
  // A plain list of values is created several times faster than one that is put together from shorter lists.
  return insertNew(run, insertCalled, named, ({ call }) => [
    call.accountId,
    call.traceRef,
    call.spanRef,
    call.responseRef,
    minute,
    call.promptId,
    call.version,
    call.label,
    call.model,
    call.startedMs,
    call.unit ? toUnitRef(call.unit) : null,
  ]);
}

/** Inserts the ids of scores, and returns the scores that are new. */
export async function insertScores(run: RunStatement, { minute, scores }: Pick<ResultBatch<never>, 'minute' | 'scores'>) {
  const [fresh = [], sent = []] = [true, false].map((isNew) => scores.filter((score) => score.isNew === isNew));
  const named = new Map(sent.map((score) => [nameRow({ accountId: score.accountId, traceRef: score.id, spanRef: '' }), score]));
  const toRow = ({ accountId, id }: CountedScore) => [accountId, id, '', null, minute, '', 0, '', '', null, null];
  return [...fresh, ...(await insertNew(run, insertCalled, named, toRow))];
}

/**
 * Inserts and returns the items that are not counted yet. The rows are sorted, so that instances that count the same items do not deadlock.
 */
async function insertNew<Item>(
  run: RunStatement,
  statement: RowStatement,
  named: Map<string, Item>,
  toRow: (item: Item) => (string | number | null)[],
): Promise<Item[]> {
  const sorted = [...named].sort(([one], [other]) => (one < other ? -1 : 1));
  const inserted = await run(
    statement,
    sorted.map(([, item]) => toRow(item)),
  );
  if (inserted.length === sorted.length) return sorted.map(([, item]) => item);
  // The statement returns this column.
  return (inserted as { name: string }[]).flatMap(({ name }) => named.get(name) ?? []);
}

type OpenCall = { name: string; startedMs: number; releaseUnit: string | null } & Omit<CalledVersion, 'accountId'>;

/** Closes open calls, and returns the calls that were open. */
export async function closeCalls<Measured>(run: RunStatement, { ends }: ResultBatch<Measured>): Promise<NewCall<Measured>[]> {
  const named = new Map(ends.map((end) => [nameRow(end), end]).toReversed() as [string, CallEnd<Measured>][]);
  const sorted = [...named].sort(([one], [other]) => (one < other ? -1 : 1));
  // The statements return these columns.
  const open = (await run(
    selectOpen,
    sorted.map(([, { accountId, traceRef, spanRef }]) => [accountId, traceRef, spanRef]),
  )) as OpenCall[];
  const calls = new Map(open.map((call) => [call.name, call]));
  // Another instance may close a call at the same time. Only the instance that changes the row counts the call.
  const closed = (await run(
    closeOpen,
    sorted
      .filter(([name]) => calls.has(name))
      .map(([, { accountId, traceRef, spanRef, model = null }]) => [accountId, traceRef, spanRef, model]),
  )) as { name: string }[];
  return closed.flatMap(({ name }) => {
    const [call, end] = [calls.get(name), named.get(name)];
    if (!call || !end) return [];
    const { promptId, version, label, startedMs, releaseUnit } = call;
    const { accountId, model = call.model, measured } = end;
    const unit = fromUnitRef(releaseUnit);
    return { version: { accountId, promptId, version, label, model }, measured, startedMs: Number(startedMs), unit };
  });
}

const nameRow = ({ accountId, traceRef, spanRef }: CallRef & { accountId: string }) => `${accountId} ${traceRef} ${spanRef}`;
