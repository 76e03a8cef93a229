import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { AppError } from '../../errors.ts';
import type { Database } from '../tables.ts';
import { countFoldedRows, type FoldState, isInGroup, movesOf, readFoldState } from './fold-state.ts';
import { type BlockPosition, compareBlocks } from './merge-blocks.ts';
import { addUpLines, type BlockLine, findLine, readKeyUse } from './usage-block.ts';
import type { UsageCounts } from './usage-counts.ts';

const maxWaitMs = 10_000;
const pollMs = 50;
/** Of the bodies of blocks that one query reads, */
const partBytes = 256 * 1024;
/** and how many they are at most. */
const partBlocks = 100;

/**
 * Reads an account's statistics: `read` is given what is not in rows yet, and adds it to the rows. No call is missing or counted twice,
 * although `read` may take many queries: it is repeated if counts of the account have moved from blocks into rows meanwhile, which
 * happens about once a minute, and takes seconds if there are very many.
 */
export async function readWithPending<T>(db: Kysely<Database>, accountId: string, read: (pending: UsageCounts) => Promise<T>): Promise<T> {
  const endsAt = performance.now() + maxWaitMs;
  for (let state = (await readFoldState(db)).state; ; ) {
    const result = await read(await readPending(db, accountId, state));
    const before = movesOf(state, accountId);
    ({ state } = await readFoldState(db));
    if (movesOf(state, accountId) === before) return result;
    if (performance.now() > endsAt) {
      throw new AppError('database_unavailable', { cause: new Error('Statistics were moved during each attempt to read them') });
    }
    state = await waitForMoves(db, accountId, { moving: state, endsAt });
  }
}

/** Waits until no counts of the account are moved for a moment. */
async function waitForMoves(
  db: Kysely<Database>,
  accountId: string,
  { moving, endsAt }: { moving: FoldState; endsAt: number },
): Promise<FoldState> {
  for (let before = moving; ; ) {
    await delay(pollMs);
    const { state } = await readFoldState(db);
    if (movesOf(state, accountId) === movesOf(before, accountId) || performance.now() > endsAt) return state;
    before = state;
  }
}

/** When keys of an account were used, as far as blocks know. Those that are folded may be among them. */
export async function readPendingKeyUses(db: Kysely<Database>, accountId: string): Promise<UsageCounts['keyUses']> {
  const uses: UsageCounts['keyUses'] = [];
  for await (const { line } of readLines(db, accountId)) {
    const use = readKeyUse(line);
    if (use) uses.push(use);
  }
  return uses;
}

async function readPending(db: Kysely<Database>, accountId: string, state: FoldState): Promise<UsageCounts> {
  const folding: BlockLine[] = [];
  const waiting: BlockLine[] = [];
  for await (const { block, line } of readLines(db, accountId)) (isInGroup(state, block) ? folding : waiting).push(line);
  const left = takeRows(await addUpLines(folding), countFoldedRows(state, accountId));
  const rest = await addUpLines(waiting);
  return {
    calls: left.calls.concat(rest.calls),
    prompts: left.prompts.concat(rest.prompts),
    renderErrors: left.renderErrors.concat(rest.renderErrors),
    keyUses: left.keyUses.concat(rest.keyUses),
  };
}

/** The lines of an account in the order in which a fold adds them up. Without those in blocks that are deleted meanwhile. */
async function* readLines(db: Kysely<Database>, accountId: string): AsyncGenerator<{ block: BlockPosition; line: BlockLine }> {
  const blocks = await selectBlocksOf(db, accountId).execute();
  for (const part of splitBlocks(blocks.sort(compareBlocks))) {
    for (const block of (await selectBodies(db, part).execute()).sort(compareBlocks)) {
      const line = findLine(block.body, accountId);
      if (line) yield { block, line };
    }
  }
}

/** Most blocks have a few kilobytes, but one may have megabytes. */
function* splitBlocks<Block extends { bytes: number }>(blocks: Block[]): Generator<Block[]> {
  let part: Block[] = [];
  let bytes = 0;
  for (const block of blocks) {
    if (part.length > 0 && (bytes + block.bytes > partBytes || part.length === partBlocks)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(block);
    bytes += block.bytes;
  }
  if (part.length > 0) yield part;
}

/** The blocks that may have a line of the account. */
export function selectBlocksOf(db: Kysely<Database>, accountId: string) {
  return db
    .selectFrom('usage_blocks')
    .select(['writer', 'sequence', 'part', 'bytes'])
    .where('first_account', '<=', accountId)
    .where('last_account', '>=', accountId);
}

export function selectBodies(db: Kysely<Database>, blocks: BlockPosition[]) {
  const keys = blocks.map(({ writer, sequence, part }) => sql`(${writer}, cast(${sequence} as integer), cast(${part} as integer))`);
  return db
    .selectFrom('usage_blocks')
    .select(['writer', 'sequence', 'part', 'body'])
    .where(sql<boolean>`(writer, sequence, part) in (values ${sql.join(keys)})`);
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
