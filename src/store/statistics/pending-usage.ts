import type { Kysely } from 'kysely';
import { AppError } from '../../errors.ts';
import type { Database } from '../tables.ts';
import { countFoldedRows, type FoldState, isInGroup, movesOf, readFoldState } from './fold-state.ts';
import { type BlockPosition, compareBlocks } from './merge-blocks.ts';
import { addUpLines, type BlockLine, findLine, readKeyUse } from './usage-block.ts';
import type { UsageCounts } from './usage-counts.ts';

const maxAttempts = 5;

/**
 * Reads an account's statistics: `read` is given what is not in rows yet, and adds it to the rows. No call is missing or counted twice,
 * although `read` may take many queries: it is repeated if counts of the account have moved from blocks into rows meanwhile, which
 * happens about once a minute.
 */
export async function readWithPending<T>(db: Kysely<Database>, accountId: string, read: (pending: UsageCounts) => Promise<T>): Promise<T> {
  let { state } = await readFoldState(db);
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const result = await read(await readPending(db, accountId, state));
    const before = movesOf(state, accountId);
    ({ state } = await readFoldState(db));
    if (movesOf(state, accountId) === before) return result;
  }
  throw new AppError('database_unavailable', { cause: new Error('Statistics were moved during each attempt to read them') });
}

/** When keys of an account were used, as far as blocks know. Those that are folded may be among them. */
export async function readPendingKeyUses(db: Kysely<Database>, accountId: string): Promise<UsageCounts['keyUses']> {
  const uses: UsageCounts['keyUses'] = [];
  for (const block of await selectBlocksOf(db, accountId).execute()) {
    const line = await loadLine(db, block, accountId);
    const use = line && readKeyUse(line);
    if (use) uses.push(use);
  }
  return uses;
}

async function readPending(db: Kysely<Database>, accountId: string, state: FoldState): Promise<UsageCounts> {
  const folding: BlockLine[] = [];
  const waiting: BlockLine[] = [];
  const blocks = await selectBlocksOf(db, accountId).execute();
  // In the order in which a fold adds them up.
  for (const block of blocks.sort(compareBlocks)) {
    const line = await loadLine(db, block, accountId);
    if (line) (isInGroup(state, block) ? folding : waiting).push(line);
  }
  const left = takeRows(await addUpLines(folding), countFoldedRows(state, accountId));
  const rest = await addUpLines(waiting);
  return {
    calls: left.calls.concat(rest.calls),
    prompts: left.prompts.concat(rest.prompts),
    renderErrors: left.renderErrors.concat(rest.renderErrors),
    keyUses: left.keyUses.concat(rest.keyUses),
  };
}

/** The line of an account in a block, unless the block was folded meanwhile. Block by block, because they may have megabytes. */
async function loadLine(db: Kysely<Database>, block: BlockPosition, accountId: string): Promise<BlockLine | undefined> {
  const body = await loadBody(db, block);
  return body === undefined ? undefined : findLine(body, accountId);
}

/** The blocks that may have a line of the account. */
export function selectBlocksOf(db: Kysely<Database>, accountId: string) {
  return db
    .selectFrom('usage_blocks')
    .select(['writer', 'sequence', 'part'])
    .where('first_account', '<=', accountId)
    .where('last_account', '>=', accountId);
}

export async function loadBody(db: Kysely<Database>, { writer, sequence, part }: BlockPosition): Promise<string | undefined> {
  const row = await db
    .selectFrom('usage_blocks')
    .select('body')
    .where('writer', '=', writer)
    .where('sequence', '=', sequence)
    .where('part', '=', part)
    .executeTakeFirst();
  return row?.body;
}

/** A part of the rows of an account: first its calls, then its prompts, then the causes of errors. */
export function takeRows({ calls, prompts, renderErrors, keyUses }: UsageCounts, start: number, end?: number): UsageCounts {
  const take = <Row>(rows: Row[], offset: number) =>
    rows.slice(Math.max(0, start - offset), end === undefined ? undefined : Math.max(0, end - offset));
  return {
    calls: take(calls, 0),
    prompts: take(prompts, calls.length),
    renderErrors: take(renderErrors, calls.length + prompts.length),
    keyUses,
  };
}
