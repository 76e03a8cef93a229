import { chmodSync, closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { StartError } from '../../errors.ts';
import { backupChecksumName } from '../meta.ts';
import type { StatisticsDatabase } from '../statistics/tables.ts';
import { explainOpenFailure } from './sqlite-file.ts';
import { hasTable, statisticsTables } from './sqlite-statistics-file.ts';
import { createDatabaseThread } from './threads/database-thread.ts';
import { deadlinePlugin } from './threads/deadline-plugin.ts';
import { createSingleConnection, createThreadDialect } from './threads/thread-dialect.ts';

const timeoutMs = 4000;
/** After a power failure, the most recent counts may be missing, but the file is intact. */
const setup = ['pragma synchronous = normal', 'pragma cache_size = -32768'];

/** Opens the statistics in a separate thread, which starts with the first query. */
export function openStatistics(file: string): { db: Kysely<StatisticsDatabase>; close(): Promise<void> } {
  const thread = createDatabaseThread({ file, isReadOnly: false, setup, timeoutMs });
  const connection = createSingleConnection((query) => thread.run(0, query));
  const dialect = createThreadDialect({ connect: () => connection, isShared: false });
  return { db: new Kysely<StatisticsDatabase>({ dialect, plugins: [deadlinePlugin] }), close: () => thread.close() };
}

/** The steps that create the tables. A released step never changes. `user_version` is the number of applied steps. */
const steps = [
  `create table call_statistics (account_id text not null, time text not null, route text not null, status integer not null,
    bucket integer not null, calls integer not null, primary key (account_id, time, route, status, bucket));
  create index call_statistics_by_time on call_statistics (time, account_id);
  create table prompt_statistics (account_id text not null, time text not null, prompt_id text not null, version integer not null,
    label text not null, status integer not null, calls integer not null, primary key (account_id, time, prompt_id, version, label, status));
  create index prompt_statistics_by_time on prompt_statistics (time, account_id);
  create index prompt_statistics_by_prompt on prompt_statistics (account_id, prompt_id, time, version, label, status);
  create table render_errors (account_id text not null, time text not null, prompt_id text not null, code text not null,
    name text not null, calls integer not null, primary key (account_id, time, prompt_id, code, name));
  create index render_errors_by_time on render_errors (time, account_id);
  create index render_errors_by_prompt on render_errors (account_id, prompt_id, time);
  create table key_uses (account_id text primary key, key_serial integer not null, last_used_at text not null);
  create table statistics_writers (id text primary key, sequence integer not null, updated_at text not null);`,
  // This step stores the counters of prompts in the order of their key. It also adds the calls to the index by prompt, so that the counters
  // of one prompt can be read from this index alone.
  `create table ordered_statistics (account_id text not null, time text not null, prompt_id text not null, version integer not null,
    label text not null, status integer not null, calls integer not null, primary key (account_id, time, prompt_id, version, label, status)) without rowid;
  insert into ordered_statistics select account_id, time, prompt_id, version, label, status, calls from prompt_statistics
    order by account_id, time, prompt_id, version, label, status;
  drop table prompt_statistics;
  alter table ordered_statistics rename to prompt_statistics;
  create index prompt_statistics_by_time on prompt_statistics (time, account_id);
  create index prompt_statistics_by_prompt on prompt_statistics (account_id, prompt_id, time, version, label, status, calls);`,
  `create table member_statistics (account_id text not null, time text not null, member_id text not null, route text not null,
    status integer not null, calls integer not null, primary key (account_id, time, member_id, route, status)) without rowid;
  create index member_statistics_by_time on member_statistics (time, account_id);
  create table run_statistics (account_id text not null, time text not null, member_id text not null, model text not null,
    has_failed integer not null, bucket integer not null, calls integer not null, input_tokens integer not null,
    output_tokens integer not null, cost real not null, unpriced integer not null,
    primary key (account_id, time, member_id, model, has_failed, bucket)) without rowid;
  create index run_statistics_by_time on run_statistics (time, account_id);`,
  `create table result_sums (account_id text not null, time text not null, prompt_id text not null, version integer not null,
    label text not null, model text not null, calls integer not null, errors integer not null, input_tokens integer not null,
    output_tokens integer not null, cost real not null, priced integer not null, unpriced integer not null,
    primary key (account_id, time, prompt_id, version, label, model)) without rowid;
  create index result_sums_by_time on result_sums (time, account_id);
  create index result_sums_by_prompt on result_sums (account_id, prompt_id, time);
  create table result_counts (account_id text not null, time text not null, prompt_id text not null, version integer not null,
    label text not null, model text not null, kind text not null, name text not null, calls integer not null,
    primary key (account_id, time, prompt_id, version, label, model, kind, name)) without rowid;
  create index result_counts_by_time on result_counts (time, account_id);
  create index result_counts_by_prompt on result_counts (account_id, prompt_id, time, version, label, model, kind, name, calls);
  create table result_scores (account_id text not null, time text not null, prompt_id text not null, version integer not null,
    label text not null, model text not null, name text not null, kind text not null, value text not null, calls integer not null,
    total real not null, squares real not null,
    primary key (account_id, time, prompt_id, version, label, model, name, kind, value)) without rowid;
  create index result_scores_by_time on result_scores (time, account_id);
  create index result_scores_by_prompt on result_scores (account_id, prompt_id, time, version, label, model, name, kind, value, calls,
    total, squares);
  create table counted_calls (account_id text not null, trace_ref text not null, span_ref text not null, response_ref text,
    time text not null, prompt_id text not null, version integer not null, label text not null, model text not null, started_ms integer,
    primary key (account_id, trace_ref, span_ref)) without rowid;
  create index counted_calls_by_time on counted_calls (account_id, time);
  create index counted_calls_by_response on counted_calls (account_id, response_ref) where response_ref is not null;
  create table waiting_scores (account_id text not null, ref text not null, id text not null, time text not null, score text not null,
    primary key (account_id, ref, id)) without rowid;
  create index waiting_scores_by_time on waiting_scores (account_id, time);
  create table feedback_comments (account_id text not null, prompt_id text not null, id text not null, time text not null, at text not null,
    version integer not null, label text not null, name text not null, value text not null, comment text not null,
    primary key (account_id, prompt_id, id)) without rowid;
  create index feedback_comments_by_time on feedback_comments (account_id, time);`,
  `alter table counted_calls add column release_unit text;
  create table release_stages (account_id text not null, release_id text not null, stage integer not null, units integer not null,
    scores text not null, primary key (account_id, release_id, stage)) without rowid;
  create table release_units (account_id text not null, release_id text not null, stage integer not null, version integer not null,
    unit text not null, calls integer not null, errors integer not null, timed integer not null, log_duration real not null,
    priced integer not null, log_cost real not null, primary key (account_id, release_id, stage, version, unit)) without rowid;
  create table release_scores (account_id text not null, release_id text not null, stage integer not null, version integer not null,
    name text not null, unit text not null, count integer not null, total real not null,
    primary key (account_id, release_id, stage, version, name, unit)) without rowid;`,
  `create table release_statistics (account_id text not null, time text not null, release_id text not null, version integer not null,
    reason text not null, calls integer not null, primary key (account_id, time, release_id, version, reason)) without rowid;
  create index release_statistics_by_time on release_statistics (time, account_id);
  create index release_statistics_by_release on release_statistics (account_id, release_id, version, reason, calls);
  create table prompt_keys (account_id text not null, prompt_id text not null, day text not null, sketch text not null,
    primary key (account_id, prompt_id, day));
  create index prompt_keys_by_day on prompt_keys (day);`,
];

/** Opens the file of the statistics. Creates the file and its tables if they do not exist. */
function openFile(file: string): DatabaseSync {
  let sqlite: DatabaseSync | undefined;
  try {
    closeSync(openSync(file, 'a', 0o600));
    sqlite = new DatabaseSync(file, { timeout: 1000 });
    chmodSync(file, 0o600);
    sqlite.exec('pragma journal_mode = wal');
    createTables(sqlite);
    return sqlite;
  } catch (err) {
    sqlite?.close();
    throw new StartError(explainOpenFailure(err, dirname(file), file), { cause: err });
  }
}

/**
 * Creates the file of the statistics. If the main file contains statistics, because an earlier version or a backup put them there, moves
 * them into the new file. The moved statistics replace the content of that file, so the move can be interrupted at any point and repeated.
 */
export function prepareStatistics(main: DatabaseSync, { file, mainFile }: { file: string; mainFile: string }): void {
  const sqlite = openFile(file);
  try {
    const moved = statisticsTables.filter((table) => hasTable(main, table));
    if (moved.length === 0) return;
    sqlite.prepare('attach ? as main_file').run(mainFile);
    sqlite.exec(`begin; ${moved.map((table) => copyRows(sqlite, table)).join(' ')} commit`);
  } finally {
    sqlite.close();
  }
  const dropped = [...statisticsTables, 'usage_blocks'].map((table) => `drop table if exists ${table};`);
  // The checksum is deleted too, because a database that the service has opened is no longer a backup.
  main.exec(`begin; ${dropped.join(' ')} delete from meta where name in ('usage_fold', '${backupChecksumName}'); commit`);
}

/** Returns the statements that copy the rows of a table. A table that was moved by an earlier version may lack the newest columns. */
function copyRows(sqlite: DatabaseSync, table: string): string {
  const known = listColumns(sqlite, table, 'main_file');
  const columns = listColumns(sqlite, table, 'main')
    .filter((column) => known.includes(column))
    .join(', ');
  return `delete from main.${table}; insert into main.${table} (${columns}) select ${columns} from main_file.${table};`;
}

function createTables(sqlite: DatabaseSync): void {
  const done = Number(sqlite.prepare('pragma user_version').get()?.user_version ?? 0);
  for (const [index, step] of steps.entries()) {
    if (index >= done) sqlite.exec(`begin; ${step} pragma user_version = ${index + 1}; commit`);
  }
}

function listColumns(sqlite: DatabaseSync, table: string, schema: string): string[] {
  const rows = sqlite.prepare('select name from pragma_table_info(?, ?)').all(table, schema);
  return rows.map(({ name }) => String(name));
}
