import type { AssignedRelease } from '../../contract/release-assignment.ts';
import type { GuardResult, ReleaseProgress } from '../../contract/release-progress.ts';
import type { ReleaseFields } from '../../contract/releases.ts';
import { formatTable, note, toLine } from '../terminal.ts';

export type ShownRelease = ReleaseFields & { progress?: ReleaseProgress };

const reasons: Record<AssignedRelease['reason'], string> = { SPLIT: 'by the key', RULE: 'by a rule', NO_KEY: 'because there is no --key' };
const causes: Record<NonNullable<ReleaseFields['cause']>, string> = {
  person: 'by a person',
  regression: 'because an arm is worse than a guard allows',
  sample_ratio: 'because the numbers of units do not match the shares',
  not_allowed: 'because the next step needs checks or approvals',
  deleted: 'because the prompt was deleted or moved to another workspace',
};

/** Says how a release chose a version. */
export function noteRelease({ version, release }: { version: number; release?: AssignedRelease }): void {
  if (release) note(`A release chose version ${version} (${release.arm}) ${reasons[release.reason]}.`);
}

/** Formats the shares of all versions: `Version 4 gets 5%, version 3 (the control) 95%.` */
export function formatShares({ control, arms }: Pick<ReleaseFields, 'control' | 'arms'>): string {
  const shares = arms.map(({ version, weight }, index) => `${index === 0 ? 'Version' : 'version'} ${version} gets ${formatShare(weight)}`);
  return `${shares.join(', ')}, version ${control} (the control) ${formatShare(controlWeight(arms))}.`;
}

/** Formats a release for people. */
export function formatRelease(name: string, release: ShownRelease): string {
  const { label, state, cause, startedAt, startedBy, steps, step, rules, progress } = release;
  const why = cause === null ? '' : ` ${causes[cause]}`;
  const sections = [
    `${toLine(name)}: the release on ${label} is ${state.replace('_', ' ')}${why}. Started at ${startedAt} by ${toLine(startedBy.name)}.`,
    formatTable(armRows(release)),
    ...(rules.length > 0 ? [rules.map(formatRule).join('\n')] : []),
    ...(steps.length > 0 ? [`Steps: ${steps.map(formatShare).join(', ')} (${step} of ${steps.length} reached)`] : []),
    ...(progress ? formatProgress(progress) : []),
  ];
  return sections.join('\n\n');
}

function armRows({ control, arms, progress }: ShownRelease): string[][] {
  const all = [{ version: control, weight: controlWeight(arms) }, ...arms];
  if (!progress) {
    return [
      ['ARM', 'VERSION', 'SHARE'],
      ...all.map(({ version, weight }, index) => [armOf(version, index), String(version), formatShare(weight)]),
    ];
  }
  return [
    ['ARM', 'VERSION', 'SHARE', 'UNITS', 'CALLS', 'READS'],
    ...progress.arms.map(({ arm, version, weight, units, calls, reads }) => [
      arm,
      String(version),
      formatShare(weight),
      ...[units, calls, reads].map(String),
    ]),
  ];
}

function armOf(version: number, index: number): string {
  return index === 0 ? 'control' : `v${version}`;
}

function formatProgress({ guards, metric, next, readsWithoutKey }: ReleaseProgress): string[] {
  return [
    ...(guards.length > 0 ? [formatTable([['GUARD', 'ARM', 'CONTROL', 'VALUE', 'DIFFERENCE', 'VERDICT'], ...guards.map(guardRow)])] : []),
    ...(metric
      ? [formatTable([['METRIC', 'ARM', 'VALUE', 'DIFFERENCE'], ...metric.arms.map((arm) => metricRow(metric.metric, arm))])]
      : []),
    ...(readsWithoutKey > 0 ? [`Reads without a key, which got the control: ${readsWithoutKey}`] : []),
    ...(next ? formatNext(next) : []),
  ];
}

function formatNext({ weight, at, waitsFor }: NonNullable<ReleaseProgress['next']>): string[] {
  if (weight === null) return [];
  const step = `Next step: ${formatShare(weight)}${at === null ? '' : `, not before ${at}`}`;
  return [waitsFor.length === 0 ? step : [`${step}. It waits for:`, ...waitsFor.map((text) => `  ${toLine(text)}`)].join('\n')];
}

function guardRow({ metric, arm, control, value, difference, verdict }: GuardResult): string[] {
  return [metric, arm, formatNumber(control), formatNumber(value), formatDifference(difference), verdict];
}

function metricRow(metric: string, { arm, value, difference }: NonNullable<ReleaseProgress['metric']>['arms'][number]): string[] {
  return [metric, arm, formatNumber(value), formatDifference(difference)];
}

function formatDifference(difference: GuardResult['difference']): string {
  if (!difference) return '';
  const { value, low, high } = difference;
  return `${formatSmall(value)} (${formatSmall(low)} to ${formatSmall(high)})`;
}

/** Formats a difference. A difference below a ten-thousandth is not meaningful. */
function formatSmall(value: number): string {
  return String(Number(Number(value.toPrecision(3)).toFixed(4)));
}

function formatNumber(value: number | null): string {
  return value === null ? '' : String(Number(value.toPrecision(3)));
}

function formatRule({ if: conditions, version }: ReleaseFields['rules'][number]): string {
  const parts = Object.entries(conditions).map(([name, values]) => `${name} is ${values.join(' or ')}`);
  return toLine(`Rule: if ${parts.join(' and ')}, version ${version}`);
}

function controlWeight(arms: ReleaseFields['arms']): number {
  return 10_000 - arms.reduce((sum, { weight }) => sum + weight, 0);
}

function formatShare(weight: number): string {
  return `${weight / 100}%`;
}
