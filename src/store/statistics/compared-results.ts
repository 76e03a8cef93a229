import { type Kysely, sql } from 'kysely';
import { ofPrompt, type PromptOwner } from '../prompts/prompt-owner.ts';
import { calls, readSnapshot } from './statistics.ts';
import type { StatisticsDatabase } from './tables.ts';

/** The versions of a prompt that are compared, and the label with which their calls were reported. */
export interface ComparedVersions {
  label: string;
  versions: number[];
}

interface VersionKey {
  label: string;
  version: number;
}

/** The calls of versions at labels. */
export interface ComparedRows {
  sums: (VersionKey & { calls: number; errors: number })[];
  /** The numbers of successful calls by duration bucket. `name` is the bucket. */
  durations: (VersionKey & { name: string; calls: number })[];
}

export function createComparedResultStore(db: Kysely<StatisticsDatabase>) {
  return {
    /** Reads the calls of a prompt's versions since an hour, from one snapshot. Calls with other labels are left out. */
    async readComparedVersions(owner: PromptOwner & { since: string }, compared: ComparedVersions[]): Promise<ComparedRows> {
      if (compared.length === 0) return { sums: [], durations: [] };
      return readSnapshot(db, async (snapshot) => {
        const { sums, durations } = selectComparedVersions(snapshot, owner, compared);
        return { sums: await sums.execute(), durations: await durations.execute() };
      });
    },
  };
}

export function selectComparedVersions(
  db: Kysely<StatisticsDatabase>,
  { since, ...owner }: PromptOwner & { since: string },
  compared: ComparedVersions[],
) {
  const pairs = compared.map(({ label, versions }) => sql`(label = ${label} and version in (${sql.join(versions)}))`);
  const where = sql<boolean>`${ofPrompt(owner)} and time >= ${since} and (${sql.join(pairs, sql` or `)})`;
  return {
    sums: db
      .selectFrom('result_sums')
      .where(where)
      .select(['label', 'version', calls, sql<number>`sum(errors)`.as('errors')])
      .groupBy(['label', 'version']),
    durations: db
      .selectFrom('result_counts')
      .where(where)
      .where('kind', '=', 'duration')
      .select(['label', 'version', 'name', calls])
      .groupBy(['label', 'version', 'name']),
  };
}
