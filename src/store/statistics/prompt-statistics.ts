import { type Kysely, sql } from 'kysely';
import { ofPrompt, type PromptOwner } from '../prompts/prompt-owner.ts';
import { calls, errors, isInRange, readSnapshot, type StatisticsQuery, timeOf } from './statistics.ts';
import { renderedCode, type StatisticsDatabase, sentCode } from './tables.ts';

/** The calls of one prompt. */
interface PromptStatisticsQuery extends StatisticsQuery {
  promptId: string;
}

interface PromptUsage {
  /** The number of calls since the given time. */
  calls: number;
  /** The hour (`2026-03-01T14`) of the last call, or its day once hours are aggregated. */
  lastUsed: string;
}

/** The number of renders that sent a variable. */
interface SentCount {
  variable: string;
  renders: number;
  sent: number;
  /** False if `sent` is only a lower bound, because more variables were sent than are counted by name. */
  isExact: boolean;
}

const maxVersions = 20;
/** The maximum number of causes. It is enough, because at most 20 names are counted per hour, and a longer list would not be useful. */
const maxErrors = 100;

export function createPromptStatisticsStore(db: Kysely<StatisticsDatabase>) {
  return {
    /** Reads the calls of a prompt from one snapshot. */
    async readPrompt(query: PromptStatisticsQuery) {
      return readSnapshot(db, async (snapshot) => {
        const { series, statuses, versions, versionSeries, causes } = selectPrompt(snapshot, query);
        const busiest = await versions.execute();
        return {
          series: await series.execute(),
          statuses: await statuses.execute(),
          versions: busiest,
          versionSeries: busiest.length === 0 ? [] : await versionSeries(busiest).execute(),
          errors: await causes.execute(),
        };
      });
    },

    /** Counts the successful renders at a label since the given hour, and how many of them sent each of the given variables. */
    async countRenders(
      { accountId, promptId }: PromptOwner,
      { label, variables, since }: { label: string; variables: string[]; since: string },
    ): Promise<SentCount[]> {
      const rows = await db
        .selectFrom('render_errors')
        .select(['code', 'name', calls])
        .where(ofPrompt({ accountId, promptId }))
        .where('time', '>=', since)
        .where((eb) =>
          eb.or([
            eb.and([eb('code', '=', renderedCode), eb('name', '>=', label), eb('name', '<', `${label}\v`)]),
            eb.and([eb('code', '=', sentCode), eb('name', 'in', ['', ...variables.map((variable) => `${label} ${variable}`)])]),
          ]),
        )
        .groupBy(['code', 'name'])
        .execute();
      return variables.map((variable) => countSent(rows, label, variable));
    },

    /**
     * Reads how often up to 500 prompts were called since the given hour, and when each was last called. Prompts that were never called are
     * left out.
     */
    async readUsage(accountId: string, promptIds: string[], since: string): Promise<Map<string, PromptUsage>> {
      if (promptIds.length === 0) return new Map();
      const rows = await selectUsage(db, accountId, { promptIds, since }).execute();
      return new Map(rows.flatMap(({ id, lastUsed, calls: sum }) => (lastUsed === null ? [] : [[id, { calls: sum ?? 0, lastUsed }]])));
    },
  };
}

function countSent(rows: { code: string; name: string; calls: number }[], label: string, variable: string): SentCount {
  const count: SentCount = { variable, renders: 0, sent: 0, isExact: true };
  for (const { code, name, calls } of rows) {
    if (code === sentCode) {
      if (name === '') count.isExact = false;
      else if (name === `${label} ${variable}`) count.sent += calls;
      continue;
    }
    const [, ...required] = name.split('\n');
    count.renders += calls;
    if (required.includes(variable)) count.sent += calls;
    else if (required.includes('')) count.isExact = false;
  }
  return count;
}

export function selectPrompt(db: Kysely<StatisticsDatabase>, query: PromptStatisticsQuery) {
  const time = timeOf(query);
  const rows = db.selectFrom('prompt_statistics').where(isInRange(query)).where('prompt_id', '=', query.promptId);
  return {
    series: rows.select([time.as('time'), calls, errors]).groupBy(time),
    statuses: rows.select(['status', calls]).groupBy('status').orderBy('status'),
    versions: rows
      .select(['version', 'label', calls, errors])
      .groupBy(['version', 'label'])
      .orderBy(sql`calls desc, version, label`)
      .limit(maxVersions),
    versionSeries: (versions: { version: number; label: string }[]) =>
      rows
        .where((eb) => eb.or(versions.map(({ version, label }) => eb.and({ version, label }))))
        .select([time.as('time'), 'version', 'label', calls, errors])
        .groupBy([time, 'version', 'label']),
    causes: db
      .selectFrom('render_errors')
      .select(['code', 'name', calls])
      .where(isInRange({ ...query, status: undefined }))
      .where('prompt_id', '=', query.promptId)
      .where('code', 'not in', [renderedCode, sentCode])
      .groupBy(['code', 'name'])
      .orderBy(sql`calls desc, code, name`)
      .limit(maxErrors),
  };
}

/**
 * Selects for each prompt the time of its last call and the number of its calls since a time. Both subqueries read only a short range of
 * the index.
 */
export function selectUsage(
  db: Kysely<StatisticsDatabase>,
  accountId: string,
  { promptIds, since }: { promptIds: string[]; since: string },
) {
  const [first, ...others] = promptIds.map((promptId) => {
    const rows = db.selectFrom('prompt_statistics').where(ofPrompt({ accountId, promptId }));
    return db.selectNoFrom([
      sql<string>`cast(${promptId} as text)`.as('id'),
      rows.select((eb) => eb.fn.max<string | null>('time').as('time')).as('lastUsed'),
      rows.select(calls).where('time', '>=', since).as('calls'),
    ]);
  });
  if (!first) throw new Error('There are no prompts to look up');
  return others.reduce((all, other) => all.unionAll(other), first);
}
