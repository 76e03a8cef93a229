import type { Kysely } from 'kysely';
import { AppError } from '../../errors.ts';
import type { Database } from '../tables.ts';
import { countFoldedRows, type FoldState, isInGroup, movesOf, readFoldState } from './fold-state.ts';
import { compareBlocks } from './merge-blocks.ts';
import { addUpLines, type BlockLine, findLine } from './usage-block.ts';
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
  const blocks = await selectBlocksOf(db, accountId).execute();
  return blocks.flatMap(({ body }) => addUpLines(linesIn(body, accountId)).keyUses);
}

async function readPending(db: Kysely<Database>, accountId: string, state: FoldState): Promise<UsageCounts> {
  const folding: BlockLine[] = [];
  const waiting: BlockLine[] = [];
  const blocks = await selectBlocksOf(db, accountId).execute();
  // In the order in which a fold adds them up. Here and not in the query, which would sort the bodies.
  for (const block of blocks.sort(compareBlocks)) {
    (isInGroup(state, block) ? folding : waiting).push(...linesIn(block.body, accountId));
  }
  const left = takeRows(addUpLines(folding), countFoldedRows(state, accountId));
  const rest = addUpLines(waiting);
  return {
    calls: [...left.calls, ...rest.calls],
    prompts: [...left.prompts, ...rest.prompts],
    renderErrors: [...left.renderErrors, ...rest.renderErrors],
    keyUses: [...left.keyUses, ...rest.keyUses],
  };
}

function linesIn(body: string, accountId: string): BlockLine[] {
  const line = findLine(body, accountId);
  return line ? [line] : [];
}

/** The blocks that may have a line of the account. */
export function selectBlocksOf(db: Kysely<Database>, accountId: string) {
  return db
    .selectFrom('usage_blocks')
    .select(['writer', 'sequence', 'part', 'body'])
    .where('first_account', '<=', accountId)
    .where('last_account', '>=', accountId);
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
