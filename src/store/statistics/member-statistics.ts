import { type Kysely, sql } from 'kysely';
import { calls, errors, isInRange, readSnapshot, type StatisticsQuery, timeOf } from './statistics.ts';
import type { StatisticsDatabase } from './tables.ts';

/** The calls of one member of a workspace. */
interface MemberStatisticsQuery extends StatisticsQuery {
  memberId: string;
}

export function createMemberStatisticsStore(db: Kysely<StatisticsDatabase>) {
  return {
    /** Reads the calls of a member from one snapshot. */
    async readMember(query: MemberStatisticsQuery) {
      return readSnapshot(db, async (snapshot) => {
        const { series, routes, statuses } = selectMember(snapshot, query);
        return { series: await series.execute(), routes: await routes.execute(), statuses: await statuses.execute() };
      });
    },
  };
}

export function selectMember(db: Kysely<StatisticsDatabase>, query: MemberStatisticsQuery) {
  const time = timeOf(query);
  const counted = sql<{ time: string; route: string; status: number; calls: number }>`(${sourceOf(query)})`;
  const rows = db.selectFrom(counted.as('counted'));
  const hasCalls = sql<boolean>`sum(calls) > 0`;
  return {
    series: rows
      .select([time.as('time'), calls, errors])
      .groupBy(time)
      .having(hasCalls),
    routes: rows.select(['route', calls, errors]).groupBy('route').having(hasCalls).orderBy(sql`calls desc, route`),
    statuses: rows.select(['status', calls]).groupBy('status').having(hasCalls).orderBy('status'),
  };
}

/** Selects the counters of a member. An account's calls in its own workspace are all calls minus the calls of the other members. */
function sourceOf(query: MemberStatisticsQuery) {
  const { accountId, memberId } = query;
  const inRange = isInRange(query);
  if (memberId !== accountId)
    return sql`select time, route, status, calls from member_statistics where ${inRange} and member_id = ${memberId}`;
  return sql`select time, route, status, calls from call_statistics where ${inRange}
    union all select time, route, status, -calls from member_statistics where ${inRange}`;
}
