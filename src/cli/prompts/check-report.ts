import type { CaseResult, CheckResult, CheckSummary } from '../../contract/checks.ts';
import { count, formatTable, paint, print, shorten, toLine } from '../terminal.ts';

/** The results of a prompt's test cases with one version or candidate, in the order of the test cases. */
export interface CheckedPrompt {
  name: string;
  check: CheckSummary;
  cases: CaseResult[];
}

/** Prints the result of a prompt, and a table of failures. */
export function printChecked({ name, check, cases }: CheckedPrompt): void {
  const { version, candidate, model, passed, failed, cost } = check;
  const outcome = failed === 0 ? paint('green', 'passed') : paint('red', 'failed');
  const on = `${candidate ? `candidate ${candidate.id}` : `version ${version}`}${model === null ? '' : ` on ${model}`}`;
  const counted = failed === 0 ? count(passed, 'test case') : `${failed} of ${count(passed + failed, 'test case')}`;
  print(`${outcome}  ${toLine(name)}  ${paint('dim', toLine(`${on}, ${counted}${formatCost(cost)}`))}`);
  const rows = cases.flatMap(listProblems);
  if (rows.length === 0) return;
  const table = formatTable([['CASE', 'CHECK', 'REASON'], ...rows]);
  print(table.replaceAll(/^/gm, '  '));
}

/** Describes a check in a few words. */
export function describeCheck({ kind, on, value }: CheckResult): string {
  const shown = value === undefined ? '' : ` ${shorten(typeof value === 'string' ? `"${value}"` : JSON.stringify(value), maxValueLength)}`;
  return `${kind}${shown}${on === 'prompt' ? ' in the prompt' : ''}`;
}

/** Formats the cost with a preceding comma, or returns an empty string if there are no prices. */
export function formatCost(cost: number | null): string {
  if (cost === null) return '';
  if (cost > 0 && cost < 0.0001) return ', less than $0.0001';
  return `, $${cost.toFixed(cost < 1 ? 4 : 2)}`;
}

const maxNameLength = 40;
const maxValueLength = 40;
const maxReasonLength = 160;

function listProblems({ name, passed, error, checks }: CaseResult): string[][] {
  if (passed) return [];
  const row = (check: string, reason: string) => [shorten(name, maxNameLength), check, shorten(reason, maxReasonLength)];
  if (error) return [row('could not be run', error.message)];
  return checks.filter((check) => !check.passed).map((check) => row(describeCheck(check), check.message));
}
