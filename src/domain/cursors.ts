import { maxPageBytes } from '../contract/limits.ts';
import { defaultPageLimit, type Page, type PageQuery } from '../contract/lists.ts';
import { type AppError, invalidField } from '../errors.ts';

/**
 * Reads a page of a list that is sorted by id. `list` receives the id of the last row of the previous page and the number of rows to read.
 */
export async function readPage<Row extends { id: string }, Item>(
  kind: string,
  { limit = defaultPageLimit, cursor }: PageQuery,
  list: (position: string | undefined, limit: number) => Promise<Row[]>,
  toItem: (row: Row) => Item,
  bytesOf?: (row: Row) => number,
): Promise<Page<Item>> {
  const [position] = cursor === undefined ? [] : decodeCursor(kind, 1, cursor);
  const { shown, last } = splitPage(await list(position, limit + 1), limit, bytesOf);
  return { data: shown.map(toItem), nextCursor: last ? encodeCursor(kind, [last.id]) : null };
}

/**
 * Cuts the rows to a page of at most `limit` rows and `maxPageBytes`, but at least one row. The caller must have read one row more than the
 * limit. `last` is set only if there is a next page.
 */
export function splitPage<T>(found: T[], limit: number, bytesOf: (row: T) => number = () => 0): { shown: T[]; last: T | undefined } {
  let bytes = 0;
  const end = found.findIndex((row, index) => {
    bytes += bytesOf(row);
    return index > 0 && (index >= limit || bytes > maxPageBytes);
  });
  const shown = end === -1 ? found : found.slice(0, end);
  return { shown, last: end === -1 ? undefined : shown.at(-1) };
}

/** Encodes the position after the last row of a page as opaque text. */
export function encodeCursor(kind: string, position: string[]): string {
  return Buffer.from(JSON.stringify([kind, ...position])).toString('base64url');
}

/** Decodes a cursor, or throws if it is malformed or belongs to another kind of list. */
export function decodeCursor(kind: string, length: number, cursor: string): string[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(parsed) && parsed.length === length + 1 && parsed.every((part) => typeof part === 'string') && parsed[0] === kind) {
      const position = parsed.slice(1);
      // PostgreSQL rejects NUL characters in text.
      if (position.every((part) => !part.includes('\0'))) return position;
    }
  } catch {
    // A cursor that is not JSON is rejected below.
  }
  throw invalidCursor();
}

export function invalidCursor(): AppError {
  return invalidField('/cursor', 'Not a cursor of this list. Request the first page without a cursor.');
}
