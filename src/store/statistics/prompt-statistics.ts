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

const maxVersions = 20;
/** The maximum number of causes. At most 20 names are counted per hour, and nobody would read a longer list. */
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

    /**
     * Counts the renders at a label that succeeded since an hour, and how many of them were given each of some variables that were not
     * required. `isComplete` is false if the prompt was given more variables than are counted by name.
     */
    async countRenders(
      { accountId, promptId }: PromptOwner,
      { label, variables, since }: { label: string; variables: string[]; since: string },
    ): Promise<{ renders: number; given: Map<string, number>; isComplete: boolean }> {
      const rows = await db
        .selectFrom('render_errors')
        .select(['code', 'name', calls])
        .where(ofPrompt({ accountId, promptId }))
        .where('time', '>=', since)
        .where('name', 'in', [label, '', ...variables.map((variable) => `${label} ${variable}`)])
        .where('code', 'in', [renderedCode, sentCode])
        .groupBy(['code', 'name'])
        .execute();
      const renders = rows.find(({ code }) => code === renderedCode)?.calls ?? 0;
      const sent = rows.filter(({ code }) => code === sentCode);
      const given = new Map(sent.map((row) => [row.name.slice(label.length + 1), row.calls]));
      return { renders, given, isComplete: sent.every(({ name }) => name !== '') };
    },

    /** Reads the calls of up to 500 prompts since an hour, and when each was last called. Prompts that were never called are left out. */
    async readUsage(accountId: string, promptIds: string[], since: string): Promise<Map<string, PromptUsage>> {
      if (promptIds.length === 0) return new Map();
      const rows = await selectUsage(db, accountId, { promptIds, since }).execute();
      return new Map(rows.flatMap(({ id, lastUsed, calls: sum }) => (lastUsed === null ? [] : [[id, { calls: sum ?? 0, lastUsed }]])));
    },
  };
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

/** Selects for each prompt the last entry of its part of the index, and the sum of a short range of it. */
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
