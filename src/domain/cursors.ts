import { type AppError, invalidField } from '../errors.ts';

/** Cuts rows, of which one more than the limit was read, to a page. `last` is set only if there is a next page. */
export function splitPage<T>(found: T[], limit: number): { shown: T[]; last: T | undefined } {
  const shown = found.slice(0, limit);
  return { shown, last: found.length > limit ? shown.at(-1) : undefined };
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
    // Not JSON: rejected below.
  }
  throw invalidCursor();
}

export function invalidCursor(): AppError {
  return invalidField('/cursor', 'Not a cursor of this list; request the first page without one');
}
