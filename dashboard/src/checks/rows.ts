import type { Case, CaseResult } from '../lib/types.ts';
import { type Change, compareResults } from './results.ts';

/** A test case with its results in the run that is shown and in the run that it is compared with. */
export interface CaseRowData {
  id: string;
  name: string;
  /** The current test case. Undefined if the test case was deleted after the run. */
  current: Case | undefined;
  result: CaseResult | undefined;
  against: CaseResult | undefined;
  change: Change | undefined;
}

/** Returns the current test cases, followed by deleted ones that still have results. */
export function toRows(cases: Case[], results: CaseResult[], against: CaseResult[]): CaseRowData[] {
  const byId = new Map(results.map((result) => [result.id, result]));
  const othersById = new Map(against.map((result) => [result.id, result]));
  const current = new Map(cases.map((each) => [each.id, each]));
  const ids = new Set([...current.keys(), ...byId.keys(), ...othersById.keys()]);
  return [...ids].map((id) => {
    const [result, other] = [byId.get(id), othersById.get(id)];
    const name = current.get(id)?.name ?? result?.name ?? other?.name ?? '';
    return { id, name, current: current.get(id), result, against: other, change: compareResults(other, result) };
  });
}

export type RowFilter = 'all' | 'failed' | 'changed';

export function filterRows(rows: CaseRowData[], filter: RowFilter): CaseRowData[] {
  if (filter === 'failed') return rows.filter(({ result }) => result && !result.passed);
  return filter === 'changed' ? rows.filter(({ change }) => change !== undefined) : rows;
}
