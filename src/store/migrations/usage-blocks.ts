import type { Kysely } from 'kysely';
import type { CallCount, KeyUse, PromptCount, RenderErrorCount, UsageCounts } from '../statistics/usage-counts.ts';

/**
 * Counts that earlier versions wrote as blocks and later added to the rows. The first line of a body lists the times and routes that the
 * other lines refer to by index. One JSON line per account follows.
 */
export interface BlockTables {
  usage_blocks: { writer: string; sequence: number; part: number; body: string };
  meta: { name: string; value: string };
}

/** The counts in all blocks that were not added to the rows yet, and each writer's last sequence among these blocks. */
interface BlockCounts extends UsageCounts {
  sequences: Map<string, number>;
}

/**
 * The progress of an earlier version that was adding blocks to the rows. Of the blocks in `group`, it added all accounts before
 * `accountId`, and the given number of rows of `accountId`.
 */
interface FoldState {
  number: number;
  group: Record<string, number>;
  accountId: string;
  rows: number;
}

const stateName = 'usage_fold';
const doneState: FoldState = { number: 0, group: {}, accountId: '~', rows: 0 };

/**
 * Reads the counts in blocks, and locks the state of the blocks. Another process that is adding blocks waits for the lock and then starts
 * again.
 */
export async function readBlocks(db: Kysely<BlockTables>): Promise<BlockCounts> {
  const { value } = await db
    .insertInto('meta')
    .values({ name: stateName, value: JSON.stringify(doneState) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ name: stateName }))
    .returning('value')
    .executeTakeFirstOrThrow();
  const blocks = await db.selectFrom('usage_blocks').selectAll().orderBy('writer').orderBy('sequence').orderBy('part').execute();
  // The state was written by an earlier version or by deleteBlocks.
  return decodeBlocks(blocks, JSON.parse(value) as FoldState);
}

/** Deletes the blocks whose counts were read in this transaction. A writer commits its blocks in the order of their sequences. */
export async function deleteBlocks(db: Kysely<BlockTables>, sequences: Map<string, number>): Promise<void> {
  for (const [writer, sequence] of sequences) {
    await db.deleteFrom('usage_blocks').where('writer', '=', writer).where('sequence', '<=', sequence).execute();
  }
  const { value } = await db.selectFrom('meta').select('value').where('name', '=', stateName).executeTakeFirstOrThrow();
  const { number } = JSON.parse(value) as FoldState;
  // A changed number makes earlier versions read the blocks again.
  const state = JSON.stringify({ ...doneState, number: number + 1, holder: '', updatedAt: new Date().toISOString() });
  await db.updateTable('meta').set({ value: state }).where('name', '=', stateName).execute();
}

type Line = [accountId: string, keySerial: number, lastUsed: number, calls: number[], prompts?: Fields, renderErrors?: Fields];
type Fields = (number | string)[];

function decodeBlocks(blocks: BlockTables['usage_blocks'][], state: FoldState): BlockCounts {
  const [all, interrupted] = [emptyCounts(), emptyCounts()];
  const sequences = new Map<string, number>();
  for (const { writer, sequence, body } of blocks) {
    sequences.set(writer, sequence);
    const isInGroup = sequence <= (state.group[writer] ?? -1);
    const [header = '', ...lines] = body.trimEnd().split('\n');
    for (const text of lines) {
      const line = JSON.parse(text) as Line;
      const [accountId] = line;
      if (isInGroup && accountId < state.accountId) continue;
      append(isInGroup && accountId === state.accountId ? interrupted : all, JSON.parse(header) as Header, line);
    }
  }
  // Earlier versions added the rows in this order: calls, prompts, causes of errors.
  let skipped = state.rows;
  for (const kind of ['calls', 'prompts', 'renderErrors'] as const) {
    const rows: Count[] = addUp<Count>(interrupted[kind]);
    const left = rows.slice(skipped);
    skipped = Math.max(0, skipped - rows.length);
    (all[kind] as Count[]).push(...left);
  }
  return {
    ...all,
    calls: addUp(all.calls),
    prompts: addUp(all.prompts),
    renderErrors: addUp(all.renderErrors),
    keyUses: findNewest([...all.keyUses, ...interrupted.keyUses]),
    sequences,
  };
}

type Header = [baseMs: number, times: string[], routes: string[]];
type Count = CallCount | PromptCount | RenderErrorCount;

function emptyCounts(): UsageCounts {
  return { calls: [], prompts: [], renderErrors: [], members: [], runs: [], releases: [], keyUses: [], promptKeys: [] };
}

function append(counts: UsageCounts, [baseMs, times, routes]: Header, line: Line): void {
  const [accountId, keySerial, lastUsed, calls, prompts = [], renderErrors = []] = line;
  if (keySerial > 0) counts.keyUses.push({ accountId, keySerial, lastUsedMs: baseMs + lastUsed });
  for (const [time, route, status, bucket, count] of splitFields<[number, number, number, number, number]>(calls, 5)) {
    counts.calls.push({ accountId, time: times[time] ?? '', route: routes[route] ?? '', status, bucket, calls: count });
  }
  for (const [time, promptId, version, label, status, count] of splitFields<[number, string, number, string, number, number]>(prompts, 6)) {
    counts.prompts.push({ accountId, time: times[time] ?? '', promptId, version, label, status, calls: count });
  }
  for (const [time, promptId, code, name, count] of splitFields<[number, string, string, string, number]>(renderErrors, 5)) {
    counts.renderErrors.push({ accountId, time: times[time] ?? '', promptId, code, name, calls: count });
  }
}

/** Splits a list that contains the fields of all counters one after the other. */
function* splitFields<Counter>(fields: Fields, size: number): Generator<Counter> {
  for (let start = 0; start < fields.length; start += size) yield fields.slice(start, start + size) as Counter;
}

function addUp<Row extends Count>(rows: Row[]): Row[] {
  const sums = new Map<string, Row>();
  for (const row of rows) {
    const key = JSON.stringify({ ...row, calls: 0 });
    const sum = sums.get(key);
    if (sum) sum.calls += row.calls;
    else sums.set(key, row);
  }
  return [...sums.values()];
}

function findNewest(uses: KeyUse[]): KeyUse[] {
  const newest = new Map<string, KeyUse>();
  for (const use of uses.toSorted((a, b) => a.keySerial - b.keySerial || a.lastUsedMs - b.lastUsedMs)) newest.set(use.accountId, use);
  return [...newest.values()];
}
