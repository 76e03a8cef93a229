import { accountOfLine, type BlockLine, parseHeader } from './usage-block.ts';

/** A block without its body. */
export interface BlockKey {
  writer: string;
  sequence: number;
  part: number;
  firstAccount: string;
  lastAccount: string;
}

/** The lines of an account in all blocks, ordered by writer, sequence and part. */
export interface AccountLines {
  accountId: string;
  lines: BlockLine[];
}

/** The next line of a loaded block. */
interface Cursor {
  key: BlockKey;
  header: BlockLine['header'];
  body: string;
  lineStart: number;
  accountId: string;
}

/**
 * Reads the lines of blocks, which must be ordered by their first account, account by account, beginning with `fromAccount`. A block is
 * loaded when its first account is reached and dropped after its last, so few of many blocks are in memory.
 */
export async function* mergeBlocks(
  blocks: BlockKey[],
  { fromAccount, load }: { fromAccount: string; load(key: BlockKey): Promise<string | undefined> },
): AsyncGenerator<AccountLines> {
  const waiting = blocks.filter(({ lastAccount }) => lastAccount >= fromAccount).values();
  const heap: Cursor[] = [];
  let next = waiting.next();
  for (;;) {
    while (!next.done && (heap[0] === undefined || next.value.firstAccount <= heap[0].accountId)) {
      const body = await load(next.value);
      const cursor = body === undefined ? undefined : openCursor(next.value, body, fromAccount);
      if (cursor) push(heap, cursor);
      next = waiting.next();
    }
    const account = takeAccount(heap);
    if (!account) return;
    yield account;
  }
}

function openCursor(key: BlockKey, body: string, fromAccount: string): Cursor | undefined {
  const cursor: Cursor = { key, header: parseHeader(body), body, lineStart: 0, accountId: '' };
  do {
    if (!advance(cursor)) return undefined;
  } while (cursor.accountId < fromAccount);
  return cursor;
}

/** Returns false at the end. */
function advance(cursor: Cursor): boolean {
  cursor.lineStart = cursor.body.indexOf('\n', cursor.lineStart) + 1;
  if (cursor.lineStart >= cursor.body.length) return false;
  cursor.accountId = accountOfLine(cursor.body, cursor.lineStart);
  return true;
}

/** Takes the lines of the first account from all cursors. */
function takeAccount(heap: Cursor[]): AccountLines | undefined {
  const accountId = heap[0]?.accountId;
  if (accountId === undefined) return undefined;
  const found: { key: BlockKey; line: BlockLine }[] = [];
  for (let first = heap[0]; first?.accountId === accountId; first = heap[0]) {
    const { key, header, body, lineStart } = first;
    found.push({ key, line: { header, text: body.slice(lineStart, body.indexOf('\n', lineStart)) } });
    if (!advance(first)) {
      const last = heap.pop();
      if (!last || last === first) continue;
      heap[0] = last;
    }
    sink(heap);
  }
  return { accountId, lines: found.sort((a, b) => compareBlocks(a.key, b.key)).map(({ line }) => line) };
}

export type BlockPosition = Pick<BlockKey, 'writer' | 'sequence' | 'part'>;

export function compareBlocks(a: BlockPosition, b: BlockPosition): number {
  if (a.writer !== b.writer) return a.writer < b.writer ? -1 : 1;
  return a.sequence - b.sequence || a.part - b.part;
}

/** Adds a cursor to a binary heap, of which the first has the first account. */
function push(heap: Cursor[], cursor: Cursor): void {
  let index = heap.push(cursor) - 1;
  for (let parent = (index - 1) >> 1; index > 0; index = parent, parent = (index - 1) >> 1) {
    const above = heap[parent];
    if (!above || above.accountId <= cursor.accountId) break;
    heap[index] = above;
    heap[parent] = cursor;
  }
}

/** Restores the order of a heap whose first cursor has advanced. */
function sink(heap: Cursor[]): void {
  const [cursor] = heap;
  for (let index = 0; cursor; ) {
    const left = 2 * index + 1;
    const smaller = (heap[left + 1]?.accountId ?? '\uffff') < (heap[left]?.accountId ?? '\uffff') ? left + 1 : left;
    const below = heap[smaller];
    if (!below || below.accountId >= cursor.accountId) return;
    heap[index] = below;
    heap[smaller] = cursor;
    index = smaller;
  }
}
