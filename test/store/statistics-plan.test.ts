import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import pg from 'pg';
import { sqliteFileIn } from '../../src/store/engine/sqlite-file.ts';
import { selectKeyUses } from '../../src/store/statistics/key-uses.ts';
import { selectBlocksOf, selectBodies } from '../../src/store/statistics/pending-usage.ts';
import { selectPromptRows, selectRenderErrors } from '../../src/store/statistics/prompt-statistics.ts';
import { selectPrompts, selectRoutes, selectSeries, selectWindowEnd } from '../../src/store/statistics/statistics.ts';
import { selectNextTime } from '../../src/store/statistics/statistics-rollup.ts';
import { selectBatches, selectBlockKeys, selectWaiting } from '../../src/store/statistics/usage-folds.ts';
import type { Database } from '../../src/store/tables.ts';
import { register } from '../support/client.ts';
import { engines } from '../support/engines.ts';
import { startService } from '../support/service.ts';

const range = { from: '2026-01-01', to: '2026-03-01', interval: 'day' } as const;
const busyHour = '2026-01-01T05';
const busyRows = 20_000;
const counter = { time: busyHour, prompt_id: 'p_1', version: 9_000, label: '', status: 200 };
const call = { time: busyHour, route: 'r', status: 200, bucket: 9_000 };
/** Windows in the middle of the hour. */
const prompts = { ...range, after: counter, last: { ...counter, version: 11_000 } };
const calls = { ...range, after: call, last: { ...call, bucket: 11_000 } };
const block = { writer: 'w_1', sequence: 1, part: 1 };
const times = ['2026-01-01', '2026-01-01T00', '2026-01-01T01'];
// Enough rows that a plan which reads them all is a bad one; the bench has a million.
const accounts = 300;
const hours = 100;

/** Every query that GET /api/stats, folds and the rollup make. */
function queriesOf(db: Kysely<Database>, accountId: string) {
  return {
    series: selectSeries(db, { accountId, ...calls }),
    routes: selectRoutes(db, { accountId, ...calls }),
    filtered: selectRoutes(db, { accountId, ...calls, status: 404 }),
    prompts: selectPrompts(db, { accountId, ...prompts }),
    promptRows: selectPromptRows(db, { accountId, promptId: 'p_1', times, after: undefined }),
    morePromptRows: selectPromptRows(db, { accountId, promptId: 'p_1', times, after: { ...counter, calls: 1 } }),
    renderErrors: selectRenderErrors(db, { accountId, promptId: 'p_1', times }),
    keyUses: selectKeyUses(db, [accountId]),
    blocks: selectBlocksOf(db, accountId),
    bodies: selectBodies(db, [block, { ...block, part: 2 }]),
    windowEnd: selectWindowEnd(db, 'call_statistics', { accountId, ...calls, last: undefined }),
    promptWindowEnd: selectWindowEnd(db, 'prompt_statistics', { accountId, ...prompts, last: undefined }),
    firstWindowEnd: selectWindowEnd(db, 'call_statistics', { accountId, ...range, after: undefined, last: undefined }),
    batches: selectBatches(db),
    waiting: selectWaiting(db),
    blockKeys: selectBlockKeys(db),
    nextTime: selectNextTime(db, 'call_statistics', { after: '2026-01-01', before: '2026-01-02' }),
  };
}

describe('GET /api/stats: rows of other accounts are not read', () => {
  for (const { name, create } of engines) {
    it(`every query is a search in an index by account or time (${name})`, async () => {
      const database = await create();
      const service = await startService({ database, env: {} });
      const { userId } = await register(service);
      await service.close();
      const plans =
        database.env.DATABASE_URL === undefined
          ? explainOnSqlite(sqliteFileIn(database.dataDir), userId)
          : await explainOnPostgres(database.env.DATABASE_URL, userId);
      await database.remove();

      for (const query of ['series', 'routes', 'filtered', 'windowEnd']) {
        assert.match(plans[query] ?? '', /account_id.*ROW\("time", route|\(account_id=\? AND \(time,route,/, query);
      }
      for (const query of ['prompts', 'promptWindowEnd']) {
        assert.match(plans[query] ?? '', /account_id.*ROW\("time", prompt_id|\(account_id=\? AND \(time,prompt_id,/, query);
      }
      assert.match(plans.firstWindowEnd ?? '', /account_id.*time/);
      for (const query of ['promptRows', 'morePromptRows']) assert.match(plans[query] ?? '', /prompt_statistics_by_prompt/, query);
      assert.match(plans.renderErrors ?? '', /account_id.*time.*prompt_id/);
      assert.match(plans.nextTime ?? '', /call_statistics_by_time/);
      // PostgreSQL has long bodies in a table of their own.
      if (database.env.DATABASE_URL === undefined) {
        assert.match(plans.blocks ?? '', /SEARCH usage_blocks USING INDEX usage_blocks_by_account/);
        for (const query of ['windowEnd', 'promptWindowEnd', 'firstWindowEnd', 'promptRows', 'morePromptRows']) {
          assert.doesNotMatch(plans[query] ?? '', /TEMP B-TREE/, `${query} reads rows in order`);
        }
        assert.match(plans.bodies ?? '', /SEARCH usage_blocks USING INDEX \S+ \(writer=\?/);
        for (const query of ['batches', 'waiting', 'blockKeys']) {
          assert.match(plans[query] ?? '', /USING COVERING INDEX usage_blocks_by/, `${query} reads no bodies`);
          assert.doesNotMatch(plans[query] ?? '', /TEMP B-TREE/, `${query} reads blocks in order`);
        }
      }
      for (const [query, plan] of Object.entries(plans))
        assert.doesNotMatch(plan, /SCAN (\w*statistics|render_errors)|Seq Scan on (\w*statistics|render_errors)/, query);
    });
  }
});

function explainOnSqlite(file: string, accountId: string): Record<string, string> {
  const compiler = new Kysely<Database>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  const sqlite = new DatabaseSync(file);
  const numbers = (name: string, count: number) => `${name}(n) as (select 1 union all select n + 1 from ${name} where n < ${count})`;
  sqlite.exec(fillWith(`with recursive ${numbers('a', accounts)}, ${numbers('h', hours)}`, (n) => `printf('%03d', ${n})`));
  sqlite.exec(fillBusyHour(`with recursive ${numbers('b', busyRows)}`, accountId));
  sqlite.exec('analyze');
  const plans = Object.entries(queriesOf(compiler, accountId)).map(([query, builder]) => {
    const { sql, parameters } = builder.compile();
    const steps = sqlite.prepare(`explain query plan ${sql}`).all(...(parameters as string[]));
    return [query, steps.map(({ detail }) => detail).join('\n')];
  });
  sqlite.close();
  return Object.fromEntries(plans);
}

async function explainOnPostgres(url: string, accountId: string): Promise<Record<string, string>> {
  const compiler = new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const client = new pg.Client(url);
  await client.connect();
  const numbers = (name: string, count: number) => `${name}(n) as (select generate_series(1, ${count}))`;
  await client.query(fillWith(`with ${numbers('a', accounts)}, ${numbers('h', hours)}`, (n) => `lpad(${n}::text, 3, '0')`));
  await client.query(fillBusyHour(`with ${numbers('b', busyRows)}`, accountId));
  await client.query('analyze');
  const plans: Record<string, string> = {};
  for (const [query, builder] of Object.entries(queriesOf(compiler, accountId))) {
    const { sql, parameters } = builder.compile();
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, [...parameters]);
    plans[query] = rows.map((row) => row['QUERY PLAN']).join('\n');
  }
  await client.end();
  return plans;
}

/** Made-up accounts, and their calls in made-up hours. */
function fillWith(numbers: string, padded: (n: string) => string): string {
  const account = `'u_' || ${padded('a.n')}`;
  const time = `'2026-01-01T' || ${padded('h.n')}`;
  return [
    `${numbers} insert into accounts (id, email, name, password_hash, key_digest, key_cipher, key_created_at, created_at, updated_at)
       select ${account}, ${account}, '', '', ${account}, '', '', '', '' from a`,
    `${numbers} insert into call_statistics (account_id, time, route, status, bucket, calls) select ${account}, ${time}, '', 200, 1, 1 from a, h`,
    `${numbers} insert into prompt_statistics (account_id, time, prompt_id, version, label, status, calls)
       select ${account}, ${time}, '', 1, '', 200, 1 from a, h`,
    `${numbers} insert into render_errors (account_id, time, prompt_id, code, name, calls) select ${account}, ${time}, '', '', '', 1 from a, h`,
  ].join(';\n');
}

/** Many counters of one hour. */
function fillBusyHour(numbers: string, accountId: string): string {
  return [
    `${numbers} insert into call_statistics (account_id, time, route, status, bucket, calls)
       select '${accountId}', '${busyHour}', 'r', 200, b.n, 1 from b`,
    `${numbers} insert into prompt_statistics (account_id, time, prompt_id, version, label, status, calls)
       select '${accountId}', '${busyHour}', 'p_1', b.n, '', 200, 1 from b`,
  ].join(';\n');
}
