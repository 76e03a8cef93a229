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
import { statisticsFileIn } from '../../src/store/engine/sqlite-statistics-file.ts';
import { selectMember } from '../../src/store/statistics/member-statistics.ts';
import { selectPrompt, selectUsage } from '../../src/store/statistics/prompt-statistics.ts';
import { selectReads } from '../../src/store/statistics/release-reads.ts';
import { selectScores, selectUnits } from '../../src/store/statistics/release-results.ts';
import { selectPromptResults, selectWorkspaceResults } from '../../src/store/statistics/results.ts';
import { selectFirstHour } from '../../src/store/statistics/retention.ts';
import { selectRuns } from '../../src/store/statistics/run-statistics.ts';
import { selectWorkspace } from '../../src/store/statistics/statistics.ts';
import type { StatisticsDatabase } from '../../src/store/statistics/tables.ts';
import { register } from '../support/client.ts';
import { engines } from '../support/engines.ts';
import { startService } from '../support/service.ts';

const range = { from: '2026-01-01', to: '2026-03-01', interval: 'day' } as const;
const busyHour = '2026-01-01T05';
const busyRows = 2000;
// There are enough rows to show whether a plan reads them all. The benchmark has a million.
const accounts = 300;
const hours = 100;

/** Returns every query of GET /api/stats, of prompt lists with usage, and of the rollup. */
function queriesOf(db: Kysely<StatisticsDatabase>, accountId: string) {
  const query = { accountId, ...range };
  const stage = { accountId, releaseId: 'rel_1', stage: 1, scores: ['helpful'] };
  const workspace = selectWorkspace(db, query);
  const prompt = selectPrompt(db, { ...query, promptId: 'p_1' });
  return {
    ...workspace,
    versions: workspace.versions(['p_1', 'p_2']),
    filtered: selectWorkspace(db, { ...query, status: 404 }).routes,
    promptSeries: prompt.series,
    busiestVersions: prompt.versions,
    versionSeries: prompt.versionSeries([{ version: 1, label: '' }]),
    promptStatuses: prompt.statuses,
    renderErrors: prompt.causes,
    usage: selectUsage(db, accountId, { promptIds: ['p_1', 'p_2'], since: '2026-01-01' }),
    memberSeries: selectMember(db, { ...query, memberId: 'u_1' }).series,
    ownRoutes: selectMember(db, { ...query, memberId: accountId }).routes,
    runs: selectRuns(db, query).models,
    resultVersions: selectPromptResults(db, { ...query, promptId: 'p_1' }).versionCounts,
    resultScores: selectPromptResults(db, { ...query, promptId: 'p_1', label: 'production' }).versionScores,
    resultSeries: selectWorkspaceResults(db, query).seriesSums,
    resultDurations: selectWorkspaceResults(db, query).seriesCounts,
    dropped: selectWorkspaceResults(db, query).dropped,
    releaseUnits: { compile: () => selectUnits(stage).compile(db) },
    releaseScores: { compile: () => selectScores(stage).compile(db) },
    releaseReads: selectReads(db, { accountId, releaseId: 'rel_1' }),
    releaseReadsOfPeriod: selectReads(db, { accountId, releaseId: 'rel_1', range }),
    firstHour: { compile: () => selectFirstHour('call_statistics', '2026-01-02').compile(db) },
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
          ? explainOnSqlite(statisticsFileIn(database.dataDir), userId)
          : await explainOnPostgres(database.env.DATABASE_URL, userId);
      await database.remove();

      for (const query of [
        'series',
        'routes',
        'filtered',
        'statuses',
        'buckets',
        'prompts',
        'members',
        'memberSeries',
        'ownRoutes',
        'runs',
        'resultSeries',
        'resultDurations',
        'dropped',
      ]) {
        assert.match(plans[query] ?? '', /account_id.*time|\(account_id=\? AND time>\? AND time<\?\)/, query);
      }
      for (const query of ['promptSeries', 'promptStatuses', 'busiestVersions', 'versionSeries', 'renderErrors', 'usage', 'versions']) {
        assert.match(plans[query] ?? '', /(prompt_statistics|render_errors)_by_prompt/, query);
      }
      for (const query of ['resultVersions', 'resultScores']) assert.match(plans[query] ?? '', /result_(counts|scores)_by_prompt/, query);
      for (const query of ['releaseUnits', 'releaseScores']) {
        assert.match(
          plans[query] ?? '',
          /release_(units|scores)_pk|USING PRIMARY KEY \(account_id=\? AND release_id=\? AND stage=\?/,
          query,
        );
      }
      assert.match(plans.releaseReads ?? '', /release_statistics_by_release/);
      assert.match(plans.firstHour ?? '', /call_statistics_by_time/);
      for (const [query, plan] of Object.entries(plans))
        assert.doesNotMatch(plan, /(SCAN|Seq Scan on) (\w*statistics|render_errors|(result|release)_\w+)/, query);
    });
  }
});

function explainOnSqlite(file: string, accountId: string): Record<string, string> {
  const compiler = new Kysely<StatisticsDatabase>({
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
  const compiler = new Kysely<StatisticsDatabase>({
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

/** Returns a statement that inserts calls of generated accounts in generated hours. */
function fillWith(numbers: string, padded: (n: string) => string): string {
  const account = `'u_' || ${padded('a.n')}`;
  const time = `'2026-01-01T' || ${padded('h.n')}`;
  return [
    `${numbers} insert into call_statistics (account_id, time, route, status, bucket, calls) select ${account}, ${time}, '', 200, 1, 1 from a, h`,
    `${numbers} insert into prompt_statistics (account_id, time, prompt_id, version, label, status, calls)
       select ${account}, ${time}, '', 1, '', 200, 1 from a, h`,
    `${numbers} insert into render_errors (account_id, time, prompt_id, code, name, calls) select ${account}, ${time}, '', '', '', 1 from a, h`,
    `${numbers} insert into member_statistics (account_id, time, member_id, route, status, calls) select ${account}, ${time}, '', '', 200, 1 from a, h`,
    `${numbers} insert into run_statistics (account_id, time, member_id, model, has_failed, bucket, calls, input_tokens, output_tokens, cost, unpriced)
       select ${account}, ${time}, '', '', 0, 1, 1, 1, 1, 1, 0 from a, h`,
    `${numbers} insert into release_statistics (account_id, time, release_id, version, reason, calls)
       select ${account}, ${time}, 'rel_' || a.n % 100, 1, 'SPLIT', 1 from a, h`,
    `${numbers} insert into result_sums (account_id, time, prompt_id, version, label, model, calls, errors, input_tokens, output_tokens, cost, priced, unpriced)
       select ${account}, ${time}, 'p_' || a.n % 100, 1, '', '', 1, 0, 1, 1, 1, 1, 0 from a, h`,
    `${numbers} insert into result_counts (account_id, time, prompt_id, version, label, model, kind, name, calls)
       select ${account}, ${time}, 'p_' || a.n % 100, 1, '', '', 'duration', '1', 1 from a, h`,
    `${numbers} insert into result_scores (account_id, time, prompt_id, version, label, model, name, kind, value, calls, total, squares)
       select ${account}, ${time}, 'p_' || a.n % 100, 1, '', '', 'x', 'number', '', 1, 1, 1 from a, h`,
    `${numbers} insert into release_units (account_id, release_id, stage, unit, version, calls, errors, timed, log_duration, priced, log_cost)
       select ${account}, 'rel_1', 1, ${padded('h.n')}, 1, 1, 0, 1, 1, 1, 1 from a, h`,
    `${numbers} insert into release_scores (account_id, release_id, stage, unit, version, name, count, total)
       select ${account}, 'rel_1', 1, ${padded('h.n')}, 1, 'x', 1, 1 from a, h`,
  ].join(';\n');
}

/** Returns a statement that inserts many counters for one hour. */
function fillBusyHour(numbers: string, accountId: string): string {
  return [
    `${numbers} insert into call_statistics (account_id, time, route, status, bucket, calls)
       select '${accountId}', '${busyHour}', 'r', 200, b.n, 1 from b`,
    `${numbers} insert into prompt_statistics (account_id, time, prompt_id, version, label, status, calls)
       select '${accountId}', '${busyHour}', 'p_' || b.n % 100, b.n, '', 200, 1 from b`,
    `${numbers} insert into render_errors (account_id, time, prompt_id, code, name, calls)
       select '${accountId}', '${busyHour}', 'p_' || b.n % 100, '', b.n, 1 from b`,
    `${numbers} insert into result_counts (account_id, time, prompt_id, version, label, model, kind, name, calls)
       select '${accountId}', '${busyHour}', 'p_' || b.n % 100, 1, 'production', '', 'duration', b.n, 1 from b`,
    `${numbers} insert into result_scores (account_id, time, prompt_id, version, label, model, name, kind, value, calls, total, squares)
       select '${accountId}', '${busyHour}', 'p_' || b.n % 100, 1, 'production', '', b.n, 'number', '', 1, 1, 1 from b`,
  ].join(';\n');
}
