import { type Kysely, sql } from 'kysely';
import type { Database } from '../tables.ts';

/** The tables of runs, in which only the newest rows are kept. Ids sort by time. */
type RunTable = 'prompt_runs' | 'prompt_checks';

export interface KeptRows {
  perPrompt: number;
  perWorkspace: number;
  bytesPerWorkspace: number;
}

/** Deletes the oldest rows beyond the limits of a prompt and a workspace. */
export async function pruneRuns(
  db: Kysely<Database>,
  { table, accountId, promptId, kept }: { table: RunTable; accountId: string; promptId: string; kept: KeptRows },
): Promise<void> {
  const from = sql.table(table);
  const ofPrompt = sql`account_id = ${accountId} and prompt_id = ${promptId}`;
  const { rows: excessRows } = await sql<{ id: string }>`
    select id from ${from} where ${ofPrompt} order by id desc limit 1 offset ${kept.perPrompt}`.execute(db);
  if (excessRows[0]) await sql`delete from ${from} where ${ofPrompt} and id <= ${excessRows[0].id}`.execute(db);

  const { rows } = await sql<{ id: string; bytes: number }>`
    select id, bytes from ${from} where account_id = ${accountId} order by id desc limit ${kept.perWorkspace + 1}`.execute(db);
  let bytes = 0;
  const end = rows.find((row, index) => {
    bytes += row.bytes;
    return index > 0 && (index >= kept.perWorkspace || bytes > kept.bytesPerWorkspace);
  });
  if (end) await sql`delete from ${from} where account_id = ${accountId} and id <= ${end.id}`.execute(db);
}
