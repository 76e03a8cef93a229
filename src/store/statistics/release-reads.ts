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

export function createReleaseReadStore(db: Kysely<StatisticsDatabase>) {
  return {
    /** Reads how often a release was read since its start. */
    readReleaseReads: (release: { accountId: string; releaseId: string }): Promise<ReleaseReads[]> => selectReads(db, release).execute(),
  };
}

export function selectReads(db: Kysely<StatisticsDatabase>, { accountId, releaseId }: { accountId: string; releaseId: string }) {
  return db
    .selectFrom('release_statistics')
    .select(['version', 'reason', calls])
    .where('account_id', '=', accountId)
    .where('release_id', '=', releaseId)
    .groupBy(['version', 'reason'])
    .orderBy('version')
    .orderBy('reason');
}
