import { type Kysely, sql } from 'kysely';
import type { StatisticsDatabase } from './tables.ts';

/** The values of a metric over units. Each unit, which is a key, has one value, no matter how many calls it made. */
export interface UnitSums {
  units: number;
  total: number;
  squares: number;
}

/**
 * The results of the units of an arm in one stage of a release. The values of `errorRate` are shares of failed calls, the values of
 * `latency` and `cost` are means of natural logarithms, and the values of a score (`score:` and its name) are means. `units` is the number
 * of keys with calls. A key may have a score, but no calls.
 */
export interface ArmResults {
  version: number;
  units: number;
  calls: number;
  metrics: Map<string, UnitSums>;
}

export interface ReleaseResultsQuery {
  accountId: string;
  releaseId: string;
  stage: number;
  /** The names of the scores to read. */
  scores: string[];
}

type CallRow = { version: number; calls: number } & Record<`${Metric}${'Units' | 'Total' | 'Squares'}`, number>;
type Metric = (typeof metrics)[number];
/** At each end of the range, the scores of at most this many units are limited, or of 1% of the units if that is fewer. */
const maxExtremes = 5;
const metrics = ['errorRate', 'latency', 'cost'] as const;

interface ScoreRow extends UnitSums {
  version: number;
  name: string;
}

export function createReleaseResultStore(db: Kysely<StatisticsDatabase>) {
  return {
    /** Adds up the results of the units of a stage, by version. Versions without units are left out. */
    async readReleaseResults(query: ReleaseResultsQuery): Promise<ArmResults[]> {
      const calls = (await selectUnits(query).execute(db)).rows;
      const scores = query.scores.length > 0 ? (await selectScores(query).execute(db)).rows : [];
      return toArms(calls, scores);
    },
  };
}

export function selectUnits(query: ReleaseResultsQuery) {
  return sql<CallRow>`select version, sum(calls) as calls, ${sql.join(metrics.map(sumsOf))}
    from (select version, calls, ${meanOf('errors', 'calls')} as ${sql.ref('errorRate')}, ${meanOf('log_duration', 'timed')} as latency,
      ${meanOf('log_cost', 'priced')} as cost from release_units where ${isInStage(query)}) as units
    group by version order by version`;
}

/**
 * Selects the sums of scores. The range of a score is not known, so the most extreme units of all versions count with the value of the next
 * unit: a few absurd values would otherwise make every difference uncertain.
 */
export function selectScores(query: ReleaseResultsQuery) {
  const means = sql`select version, name, ${meanOf('total', 'count')} as mean from release_scores
    where ${isInStage(query)} and name in (${sql.join(query.scores)})`;
  const sorted = sql`select version, name, mean, row_number() over (partition by name order by mean) as place,
    count(*) over (partition by name) as units from (${means}) as means`;
  const extremes = sql`(case when units < ${sql.lit(100 * maxExtremes)} then units / 100 else ${sql.lit(maxExtremes)} end)`;
  const bounds = sql`select version, name, mean, min(case when place > ${extremes} then mean end) over (partition by name) as low,
    max(case when place <= units - ${extremes} then mean end) over (partition by name) as high from (${sorted}) as sorted`;
  const bounded = sql`select version, name, case when mean < low then low when mean > high then high else mean end as mean
    from (${bounds}) as bounds`;
  return sql<ScoreRow>`select version, name, count(*) as units, sum(mean) as total, sum(mean * mean) as squares
    from (${bounded}) as bounded group by version, name order by version, name`;
}

const isInStage = ({ accountId, releaseId, stage }: ReleaseResultsQuery) =>
  sql`account_id = ${accountId} and release_id = ${releaseId} and stage = ${stage}`;
const meanOf = (total: string, count: string) =>
  sql`case when ${sql.ref(count)} > 0 then cast(${sql.ref(total)} as double precision) / ${sql.ref(count)} end`;
const sumsOf = (metric: Metric) => {
  const [value, units, total, squares] = ['', 'Units', 'Total', 'Squares'].map((end) => sql.ref(`${metric}${end}`));
  return sql`count(${value}) as ${units}, sum(${value}) as ${total}, sum(${value} * ${value}) as ${squares}`;
};

function toArms(calls: CallRow[], scores: ScoreRow[]): ArmResults[] {
  return calls.map((row) => {
    const found = new Map<string, UnitSums>();
    for (const name of metrics)
      found.set(name, { units: row[`${name}Units`], total: row[`${name}Total`] ?? 0, squares: row[`${name}Squares`] ?? 0 });
    for (const { version, name, units, total, squares } of scores) {
      if (version === row.version) found.set(`score:${name}`, { units, total, squares });
    }
    return { version: row.version, units: row.errorRateUnits, calls: row.calls, metrics: found };
  });
}
