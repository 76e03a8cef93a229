import { type Kysely, type RawBuilder, sql } from 'kysely';
import { countKeys, releaseKeys, resultKeys, type StatisticsDatabase, sketchKeys } from './statistics/tables.ts';
import type { Database } from './tables.ts';

/**
 * The number of rows in a batch of housekeeping. It is small enough that a batch takes milliseconds, far below the timeout of a statement.
 */
export const batchRows = 500;
/** The batch size for tables whose rows have up to half a megabyte, because SQLite visits all pages of the rows that it deletes. */
export const largeBatchRows = 20;

/** The primary keys of the tables from which rows are deleted in batches. */
const primaryKeys = {
  sessions: ['id'],
  verifications: ['id'],
  cli_sign_ins: ['id'],
  used_tokens: ['id'],
  provider_logouts: ['id'],
  throttles: ['name'],
  deleted_accounts: ['id'],
  account_events: ['account_id', 'id'],
  notifications: ['account_id', 'id'],
  invitations: ['workspace_id', 'id'],
  events: ['account_id', 'revision'],
  webhook_fan_outs: ['account_id', 'last_revision'],
  webhook_queues: ['account_id', 'webhook_id', 'queue'],
  webhook_deliveries: ['account_id', 'webhook_id', 'revision'],
  model_usage: ['account_id', 'day'],
  prompt_references: ['account_id', 'prompt_id', 'version', 'name', 'label'],
  prompt_events: ['account_id', 'prompt_id', 'id'],
  prompt_runs: ['account_id', 'prompt_id', 'id'],
  prompt_checks: ['account_id', 'prompt_id', 'id'],
  prompt_cases: ['account_id', 'prompt_id', 'id'],
  prompt_candidates: ['account_id', 'prompt_id', 'id'],
  result_alerts: ['account_id', 'prompt_id', 'label', 'version', 'metric'],
  comments: ['account_id', 'id'],
  proposals: ['account_id', 'id'],
  proposal_reviews: ['account_id', 'proposal_id', 'id'],
  statistics_writers: ['id'],
  ...countKeys,
  ...resultKeys,
  ...releaseKeys,
  ...sketchKeys,
} satisfies { [Table in keyof (Database & StatisticsDatabase)]?: string[] };

type BatchTable = keyof typeof primaryKeys;
const largeTables: BatchTable[] = ['prompt_runs', 'prompt_checks', 'prompt_cases', 'prompt_candidates'];

/**
 * Deletes a batch of rows and returns how many it deleted. The condition must use an index. Neither engine supports a limit on `delete`
 * itself.
 */
export async function deleteBatch<DB>(db: Kysely<DB>, table: BatchTable, where: RawBuilder<unknown>): Promise<number> {
  const from = sql.table(table);
  const columns = sql.join(primaryKeys[table].map((column) => sql.ref(column)));
  const limit = largeTables.includes(table) ? largeBatchRows : batchRows;
  const result =
    await sql`delete from ${from} where (${columns}) in (select ${columns} from ${from} where ${where} limit ${limit})`.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

/** The time column of each table, which decides whether a row is old enough to be deleted. */
const times = {
  sessions: 'expires_at',
  verifications: 'expires_at',
  cli_sign_ins: 'expires_at',
  used_tokens: 'expires_at',
  provider_logouts: 'expires_at',
  invitations: 'expires_at',
  throttles: 'updated_at',
  account_events: 'at',
  notifications: 'at',
  prompt_events: 'at',
  events: 'at',
  webhook_deliveries: 'created_at',
  prompt_runs: 'created_at',
  model_usage: 'day',
  result_alerts: 'at',
  deleted_accounts: 'deleted_at',
} satisfies { [Table in BatchTable]?: string };

export type AgingTable = keyof typeof times;

/**
 * The rows that are never deleted because of their age. Label moves are kept, because a gated label may return to a version at which it
 * pointed earlier without passing checks or approvals. Renames are kept, because label moves from before the last rename do not allow such
 * a return.
 */
const keptForever: { [Table in AgingTable]?: RawBuilder<unknown> } = {
  // The first condition is also the condition of the index.
  prompt_events: sql`and not (type = 'label_moved') and not (type = 'renamed')`,
};

/** Deletes a batch of rows that are older than a time. Returns the number of deleted rows. */
export function deleteBefore(db: Kysely<Database>, table: AgingTable, time: Date): Promise<number> {
  const kept = keptForever[table];
  return deleteBatch(db, table, sql`${sql.ref(times[table])} < ${time.toISOString()} ${kept ?? sql``}`);
}
