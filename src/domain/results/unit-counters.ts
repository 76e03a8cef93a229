import type { NewScore, ReleaseUnit, UnitCounts } from '../../store/statistics/result-batch.ts';

// Smaller values count as these minimums, because the logarithms of zero and of numbers near zero would outweigh all others.
const minDurationMs = 1;
const minCost = 1e-7;

/** A call that has ended. */
interface MeasuredCall {
  durationMs: number | undefined;
  /** Undefined if the cost is unknown. */
  cost: number | undefined;
  /** Set if the call failed. */
  error: string | undefined;
}

/** Returns functions that add up new results by unit, so that each row of the database is written once. */
export function createUnitCounter() {
  const units = new Map<string, UnitCounts>();

  function findCounts(accountId: string, unit: ReleaseUnit): UnitCounts {
    const name = `${accountId} ${unit.releaseId} ${unit.stage} ${unit.hash}`;
    const empty = { calls: 0, errors: 0, timed: 0, logDuration: 0, priced: 0, logCost: 0 };
    const counts = units.get(name) ?? { accountId, ...unit, ...empty, scores: new Map() };
    units.set(name, counts);
    return counts;
  }

  return {
    addCall(accountId: string, unit: ReleaseUnit, { durationMs, cost, error }: MeasuredCall): void {
      const counts = findCounts(accountId, unit);
      counts.calls += 1;
      if (error !== undefined) {
        counts.errors += 1;
        return;
      }
      if (durationMs !== undefined) {
        counts.timed += 1;
        counts.logDuration += Math.log(Math.max(durationMs, minDurationMs));
      }
      if (cost !== undefined) {
        counts.priced += 1;
        counts.logCost += Math.log(Math.max(cost, minCost));
      }
    },

    /** Adds a number or a boolean. Categories have no mean. */
    addScore(accountId: string, unit: ReleaseUnit, { name, value }: NewScore['score']): void {
      if (typeof value === 'string') return;
      const { scores } = findCounts(accountId, unit);
      const { count, total } = scores.get(name) ?? { count: 0, total: 0 };
      scores.set(name, { count: count + 1, total: total + Number(value) });
    },

    finish: (): UnitCounts[] => [...units.values()],
  };
}
