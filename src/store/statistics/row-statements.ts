import { sql } from 'kysely';
import type { RowStatement } from '../chunked-statements.ts';

/** Which of some accounts exist. */
export const selectAccounts: RowStatement = (db, rowCount) =>
  db.selectFrom('accounts').select('id').where('id', 'in', repeat('', rowCount)).where('deleted_at', 'is', null);

/** Adds up calls by hour or day. */
export const addCalls: RowStatement = (db, rowCount) =>
  db
    .insertInto('call_statistics')
    .values(repeat({ account_id: '', time: '', route: '', status: 0, bucket: 0, calls: 0 }, rowCount))
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'time', 'route', 'status', 'bucket'])
        .doUpdateSet({ calls: sql<number>`call_statistics.calls + excluded.calls` }),
    );

export const addPrompts: RowStatement = (db, rowCount) =>
  db
    .insertInto('prompt_statistics')
    .values(repeat({ account_id: '', time: '', prompt_id: '', version: 0, label: '', status: 0, calls: 0 }, rowCount))
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'time', 'prompt_id', 'version', 'label', 'status'])
        .doUpdateSet({ calls: sql<number>`prompt_statistics.calls + excluded.calls` }),
    );

export const addRenderErrors: RowStatement = (db, rowCount) =>
  db
    .insertInto('render_errors')
    .values(repeat({ account_id: '', time: '', prompt_id: '', code: '', name: '', calls: 0 }, rowCount))
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'time', 'prompt_id', 'code', 'name'])
        .doUpdateSet({ calls: sql<number>`render_errors.calls + excluded.calls` }),
    );

/** Instances may write late, so an earlier use or a use of an earlier key does not replace a later one. */
export const updateKeyUses: RowStatement = (db, rowCount) =>
  db
    .insertInto('key_uses')
    .values(repeat({ account_id: '', key_serial: 0, last_used_at: '' }, rowCount))
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((eb) => ({ key_serial: eb.ref('excluded.key_serial'), last_used_at: eb.ref('excluded.last_used_at') }))
        .where(sql<boolean>`(key_uses.key_serial, key_uses.last_used_at) < (excluded.key_serial, excluded.last_used_at)`),
    );

export function repeat<T>(value: T, count: number): T[] {
  return Array<T>(count).fill(value);
}
