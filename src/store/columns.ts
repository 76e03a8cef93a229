import type { ColumnType } from 'kysely';

/** A column that is never updated. */
export type Fixed<T> = ColumnType<T, T, never>;
/** A column that is never updated, and is null if an insert does not set it. */
export type FixedOrNull<T = string> = ColumnType<T | null, T | null | undefined, never>;
