import type { ColumnType } from 'kysely';

/** A column that is never updated. */
export type Fixed<T> = ColumnType<T, T, never>;
/** A column that is never updated, and null where an insert does not mention it. */
export type FixedOrNull<T = string> = ColumnType<T | null, T | null | undefined, never>;
