import { type Kysely, sql } from 'kysely';
import { calls, errors, readSnapshot, type StatisticsQuery, selectPromptCalls, timeOf } from './statistics.ts';
import type { StatisticsDatabase } from './tables.ts';

/** The calls of one prompt. */
export interface PromptStatisticsQuery extends StatisticsQuery {
  promptId: string;
}

export interface PromptUsage {
  /** Since the given time. */
  calls: number;
  /** The hour (`2026-03-01T14`) of the last call, or its day after the rollup. */
  lastUsed: string;
}

const maxVersions = 20;
/** Causes have at most 20 names an hour; a longer list would help nobody. */
const maxErrors = 100;
/** SQLite joins at most 500 selects. */
const promptsAtOnce = 250;

export function createPromptStatisticsStore(db: Kysely<StatisticsDatabase>) {
  return {
    /** The calls of a prompt, as they are at one moment. */
    async readPrompt(query: PromptStatisticsQuery) {
      return readSnapshot(db, async (snapshot) => {
        const versions = await selectBusiestVersions(snapshot, query).execute();
        return {
          series: await selectPromptSeries(snapshot, query).execute(),
          versions,
          versionSeries: versions.length === 0 ? [] : await selectVersionSeries(snapshot, query, versions).execute(),
          errors: await selectRenderErrors(snapshot, query).execute(),
        };
      });
    },

    /** The calls of some prompts since an hour, and when each was last called. Without those that never were. */
    async readUsage(accountId: string, promptIds: string[], since: string): Promise<Map<string, PromptUsage>> {
      const usage = new Map<string, PromptUsage>();
      for (let start = 0; start < promptIds.length; start += promptsAtOnce) {
        const ids = promptIds.slice(start, start + promptsAtOnce);
        await readSnapshot(db, async (snapshot) => {
          for (const { id, lastUsed } of await selectLastUses(snapshot, accountId, ids).execute()) {
            if (lastUsed !== null) usage.set(id, { calls: 0, lastUsed });
          }
          for (const { promptId, calls: sum } of await selectCallsSince(snapshot, accountId, { ids, since }).execute()) {
            const found = usage.get(promptId);
            if (found) found.calls = sum;
          }
        });
      }
      return usage;
    },
  };
}

export function selectPromptSeries(db: Kysely<StatisticsDatabase>, query: PromptStatisticsQuery) {
  const time = timeOf(query);
  return selectPromptCalls(db, query)
    .where('prompt_id', '=', query.promptId)
    .select([time.as('time'), 'status', calls])
    .groupBy([time, 'status'])
    .orderBy('status');
}

export function selectBusiestVersions(db: Kysely<StatisticsDatabase>, query: PromptStatisticsQuery) {
  return selectPromptCalls(db, query)
    .where('prompt_id', '=', query.promptId)
    .select(['version', 'label', calls, errors])
    .groupBy(['version', 'label'])
    .orderBy('calls', 'desc')
    .orderBy('version')
    .orderBy('label')
    .limit(maxVersions);
}

export function selectVersionSeries(
  db: Kysely<StatisticsDatabase>,
  query: PromptStatisticsQuery,
  versions: { version: number; label: string }[],
) {
  const time = timeOf(query);
  return selectPromptCalls(db, query)
    .where('prompt_id', '=', query.promptId)
    .where((eb) => eb.or(versions.map(({ version, label }) => eb.and({ version, label }))))
    .select([time.as('time'), 'version', 'label', calls])
    .groupBy([time, 'version', 'label']);
}

export function selectRenderErrors(db: Kysely<StatisticsDatabase>, { accountId, promptId, from, to }: PromptStatisticsQuery) {
  return db
    .selectFrom('render_errors')
    .select(['code', 'name', calls])
    .where('account_id', '=', accountId)
    .where('prompt_id', '=', promptId)
    .where('time', '>=', from)
    .where('time', '<', to)
    .groupBy(['code', 'name'])
    .orderBy('calls', 'desc')
    .orderBy('code')
    .orderBy('name')
    .limit(maxErrors);
}

/** One seek per prompt: the last entry of its part of the index. */
export function selectLastUses(db: Kysely<StatisticsDatabase>, accountId: string, promptIds: string[]) {
  const [first, ...others] = promptIds.map((promptId) =>
    db
      .selectFrom('prompt_statistics')
      .select((eb) => [sql<string>`cast(${promptId} as text)`.as('id'), eb.fn.max<string | null>('time').as('lastUsed')])
      .where('account_id', '=', accountId)
      .where('prompt_id', '=', promptId),
  );
  if (!first) throw new Error('There are no prompts to look up');
  return others.reduce((all, other) => all.unionAll(other), first);
}

export function selectCallsSince(db: Kysely<StatisticsDatabase>, accountId: string, { ids, since }: { ids: string[]; since: string }) {
  return db
    .selectFrom('prompt_statistics')
    .select(['prompt_id as promptId', calls])
    .where('account_id', '=', accountId)
    .where('prompt_id', 'in', ids)
    .where('time', '>=', since)
    .groupBy('prompt_id');
}
