import { controlArm } from '../../contract/release-assignment.ts';
import type { GuardResult, ReleaseProgress } from '../../contract/release-progress.ts';
import type { ReleaseRecord } from '../../store/prompts/releases.ts';
import { describeDifference, describeMetric } from './guard-texts.ts';
import type { Measurement } from './release-measurement.ts';
import type { Transition } from './release-states.ts';

const minuteMs = 60_000;

type Decided = Pick<ReleaseRecord, 'split' | 'plan' | 'state' | 'changedAt'>;
/** A change to a release that the service makes. */
export type Decision = Extract<Transition, { type: 'widened' | 'paused' | 'rolled_back' }>;

/** Decides what the service does with a release. Returns undefined if it does nothing. */
export function decide(release: Decided, measured: Measurement, now: Date): Decision | undefined {
  if (release.state !== 'running') return undefined;
  // If the results cannot be trusted, the service pauses the release and decides nothing else.
  if (measured.isMismatch) return { type: 'paused', cause: 'sample_ratio' };
  if (measured.guards.some(({ verdict }) => verdict === 'worse')) {
    return { type: release.plan.onRegression === 'pause' ? 'paused' : 'rolled_back', cause: 'regression' };
  }
  const weight = findNextWeight(release);
  if (weight === null || findNextTime(release) > now || listMissing(release, measured).length > 0) return undefined;
  // Only a release with one arm has steps.
  return { type: 'widened', arms: release.split.arms.map(({ version }) => ({ version, weight })) };
}

/** Returns the next step of a running release, the earliest time at which it can happen, and the results that it waits for. */
export function describeNext(release: Decided, measured: Measurement, now: Date): ReleaseProgress['next'] {
  if (release.state !== 'running') return null;
  const weight = findNextWeight(release);
  if (weight === null) return { weight, at: null, waitsFor: [] };
  const at = findNextTime(release);
  const { everyMinutes } = release.plan;
  const time = at > now ? [`${everyMinutes} ${everyMinutes === 1 ? 'minute' : 'minutes'} since the last change`] : [];
  return { weight, at: at.toISOString(), waitsFor: [...listMissing(release, measured), ...time] };
}

/** Returns the next step. People may have widened the arm beyond some of the steps. */
function findNextWeight({ split, plan }: Decided): number | null {
  const current = split.arms[0]?.weight ?? 0;
  return plan.steps.find((weight) => weight > current) ?? null;
}

function findNextTime({ changedAt, plan }: Decided): Date {
  return new Date(Date.parse(changedAt) + plan.everyMinutes * minuteMs);
}

/** Lists the results that the next step waits for. */
function listMissing({ plan }: Decided, { arms, guards }: Measurement): string[] {
  const units = arms
    .filter((arm) => arm.units < plan.minUnits)
    .map((arm) => {
      const missing = plan.minUnits - arm.units;
      return `${missing} more ${missing === 1 ? 'unit' : 'units'} for ${arm.arm === controlArm ? 'the control' : arm.arm}`;
    });
  return [...units, ...guards.filter(({ verdict }) => verdict !== 'passed').map(describeGuard)];
}

function describeGuard(guard: GuardResult): string {
  const need = guard.verdict === 'worse' ? 'an improvement of' : 'certainty about';
  return `${need} ${describeMetric(guard)}: ${describeDifference(guard)}`;
}
