import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import type { Service } from './service.ts';

export interface Plan {
  sql: string;
  /** The database's description of each step. */
  steps: string[];
  /** Steps that read a whole table. */
  scans: string[];
  /** Steps that sort rows instead of reading them in order. */
  sorts: string[];
}

/** Runs `work`, and returns the query plan of each statement that the store sent during that time. */
export async function explain(service: Service, work: () => Promise<void>): Promise<Plan[]> {
  const { DATABASE_URL: url } = service.database.env;
  return url === undefined ? explainSqlite(service.database.dataDir, work) : explainPostgres(url, work);
}

/** Matches scans of values that are part of the statement, and of the ten or fewer rows that a named subquery has found. */
const isValueList = /^SCAN (CONSTANT ROW|\d+-ROW VALUES CLAUSE|changed|included)$/;

async function explainSqlite(dataDir: string, work: () => Promise<void>): Promise<Plan[]> {
  const prepare = DatabaseSync.prototype.prepare;
  const postMessage = Worker.prototype.postMessage;
  const seen = new Set<string>();
  const record = (sql: string) => {
    if (isAboutRows(sql)) seen.add(sql);
  };
  DatabaseSync.prototype.prepare = function recordPrepared(sql, ...rest) {
    record(sql);
    return prepare.call(this, sql, ...rest);
  };
  // The queries of reader threads are sent to the threads as JSON.
  Worker.prototype.postMessage = function recordSent(message, ...rest) {
    const { sql } = typeof message === 'string' ? (JSON.parse(message) as { sql?: string }) : {};
    if (sql !== undefined) record(sql);
    return postMessage.call(this, message, ...rest);
  };
  try {
    await work();
  } finally {
    DatabaseSync.prototype.prepare = prepare;
    Worker.prototype.postMessage = postMessage;
  }
  const database = new DatabaseSync(join(dataDir, 'promptharbor.db'), { readOnly: true });
  database.function('within_deadline', () => 1);
  database.prepare('attach ? as statistics').run(join(dataDir, 'statistics.db'));
  const plans = [...seen].map((sql) => {
    const steps = database
      .prepare(`explain query plan ${sql}`)
      .all()
      .map(({ detail }) => String(detail));
    // A scan of the query's own named subquery is not a scan of a table.
    const results = /^with (?:recursive )?"?(\w+)/.exec(sql)?.[1];
    return {
      sql,
      steps,
      scans: steps.filter((step) => step.startsWith('SCAN ') && !isValueList.test(step) && step !== `SCAN ${results}`),
      sorts: steps.filter((step) => step.includes('TEMP B-TREE')),
    };
  });
  database.close();
  return plans;
}

async function explainPostgres(url: string, work: () => Promise<void>): Promise<Plan[]> {
  const query = pg.Client.prototype.query;
  const seen = new Map<string, unknown[]>();
  // The cast is necessary because the overloads hide the only form that the store uses: an object with text and values.
  const record = function (this: pg.Client, ...args: unknown[]): unknown {
    const [config] = args;
    if (typeof config === 'object' && config !== null && 'text' in config && typeof config.text === 'string' && isAboutRows(config.text)) {
      seen.set(config.text, 'values' in config && Array.isArray(config.values) ? config.values : []);
    }
    return Reflect.apply(query, this, args);
  };
  pg.Client.prototype.query = record as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  const client = new pg.Client(url);
  await client.connect();
  try {
    // On small tables a sequential scan is the fastest plan. With this setting, PostgreSQL uses a sequential scan only if no other plan
    // exists.
    await client.query('set enable_seqscan = off');
    await client.query('set enable_bitmapscan = off');
    const plans: Plan[] = [];
    for (const [sql, values] of seen) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${sql}`, values);
      const steps = rows.map((row) => row['QUERY PLAN'].trim());
      plans.push({
        sql,
        steps,
        scans: steps.filter((step) => step.includes('Seq Scan')),
        sorts: steps.filter((step) => /\bSort\b/.test(step) && !step.startsWith('Sort Key')),
      });
    }
    return plans;
  } finally {
    await client.end();
  }
}

function isAboutRows(sql: string): boolean {
  return /^(select|update|delete|with)\b.*\b(prompt|releases|model_|sessions|verifications|throttles|webhook|account_events|events|call_statistics|favorites|saved_views)/is.test(
    sql,
  );
}
