import { formatMs, plural } from '../lib/format.ts';
import type { Case, CaseResult, CheckSummary } from '../lib/types.ts';
import { formatCost } from '../runs/format.ts';

/** Returns whether a run of these test cases needs a model. No model is needed if all checks are about the rendered prompt. */
export function needModel(cases: Case[]): boolean {
  return cases.some(
    ({ checks }) =>
      checks.length === 0 || checks.some(({ kind, on, connection }) => on !== 'prompt' || (kind === 'judge' && connection === undefined)),
  );
}

/** Returns the first reason why a test case failed. */
export function reasonOf({ error, checks }: CaseResult): string | undefined {
  return error?.message ?? checks.find(({ passed }) => !passed)?.message;
}

export type Change = 'better' | 'worse';

/** Compares an earlier result of a test case with a later one. */
export function compareResults(before: CaseResult | undefined, after: CaseResult | undefined): Change | undefined {
  if (!before || !after || before.passed === after.passed) return undefined;
  return after.passed ? 'better' : 'worse';
}

export function sumCosts(results: CaseResult[]): number | null {
  const costs = results.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0);
}

/** Formats the outcome, such as "18 of 20 passed". */
export function describeOutcome({ passed, failed }: Pick<CheckSummary, 'passed' | 'failed'>): string {
  return failed === 0 ? `all ${passed} passed` : `${passed} of ${passed + failed} passed`;
}

/** Formats the duration, the tokens and the cost, such as "1.2 s, 300 tokens, $0.0003". */
export function describeEffort({ usage, cost, durationMs }: Pick<CaseResult, 'usage' | 'cost' | 'durationMs'>): string {
  return [
    ...(durationMs === null ? [] : [formatMs(durationMs)]),
    ...(usage ? [`${usage.estimated ? 'about ' : ''}${plural(usage.inputTokens + usage.outputTokens, 'token')}`] : []),
    ...(cost === null ? [] : [formatCost(cost)]),
  ].join(', ');
}

/** Returns the name of what was checked, such as "v3". */
export function titleOf({ version, candidate }: Pick<CheckSummary, 'version' | 'candidate'>): string {
  return version === null ? `“${candidate?.title}”` : `v${version}`;
}
