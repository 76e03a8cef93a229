import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';

/**
 * Returns a condition that a column contains the search text. Never use `like` on text that users enter, because its time grows with the
 * product of the lengths of both texts. In a test, a hostile search in hostile descriptions took ten seconds. SQLite has no `strpos`; see
 * `engine/sqlite-compiler.ts`.
 */
export function contains(column: string, text: string): Expression<SqlBool> {
  const eb = expressionBuilder();
  return eb(eb.fn<number>('strpos', [sql.ref(column), eb.val(text)]), '>', 0);
}
