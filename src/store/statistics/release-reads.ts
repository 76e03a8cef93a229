import type { Kysely } from 'kysely';
import type { ReleaseReason } from '../../contract/release-assignment.ts';
import { calls } from './statistics.ts';
import type { StatisticsDatabase } from './tables.ts';

/** How often a release chose a version for a reason. */
export interface ReleaseReads {
  version: number;
  reason: ReleaseReason;
  calls: number;
}

/** The reads of a release, since its start or in a range of hours (`2026-03-01T14`) or days (`2026-03-01`). */
interface ReleaseReadsQuery {
  accountId: string;
  releaseId: string;
  range?: { from: string; to: string };
}

export function createReleaseReadStore(db: Kysely<StatisticsDatabase>) {
  return {
    /** Reads how often a release chose each version. */
    readReleaseReads: (query: ReleaseReadsQuery): Promise<ReleaseReads[]> => selectReads(db, query).execute(),
  };
}

export function selectReads(db: Kysely<StatisticsDatabase>, { accountId, releaseId, range }: ReleaseReadsQuery) {
  return db
    .selectFrom('release_statistics')
    .select(['version', 'reason', calls])
    .where('account_id', '=', accountId)
    .where('release_id', '=', releaseId)
    .$if(range !== undefined, (query) => query.where('time', '>=', range?.from ?? '').where('time', '<', range?.to ?? ''))
    .groupBy(['version', 'reason'])
    .orderBy('version')
    .orderBy('reason');
}
