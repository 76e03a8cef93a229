import { type AppError, invalidField } from '../errors.ts';

/** Splits what was read, one more than the page holds, into the page and whether there is another. */
export function splitPage<T>(found: T[], limit: number): { shown: T[]; last: T | undefined } {
  const shown = found.slice(0, limit);
  return { shown, last: found.length > limit ? shown.at(-1) : undefined };
}

/** Turns the place where a page ended into opaque text for the caller. */
export function encodeCursor(kind: string, place: string[]): string {
  return Buffer.from(JSON.stringify([kind, ...place])).toString('base64url');
}

/** Reads a cursor of the same kind back, or refuses it. */
export function decodeCursor(kind: string, length: number, cursor: string): string[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(parsed) && parsed.length === length + 1 && parsed.every((part) => typeof part === 'string') && parsed[0] === kind) {
      const place = parsed.slice(1);
      // NUL is a valid character of JSON but of no text the database could hold.
      if (place.every((part) => !part.includes('\0'))) return place;
    }
  } catch {
    // Not ours: refused below.
  }
  throw invalidCursor();
}

export function invalidCursor(): AppError {
  return invalidField('/cursor', 'Not a cursor of this list; start again without one');
}
