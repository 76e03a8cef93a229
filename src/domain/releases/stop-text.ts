import { fullWeight } from '../../contract/release-assignment.ts';
import type { StoppedRelease } from '../../store/accounts/notifications.ts';
import { describeDifference, describeValues } from './guard-texts.ts';

/** Says why the service has rolled back or paused a release, and what to do next. */
export function describeStop(stopped: StoppedRelease, workspace: string): { title: string; more: string[] } {
  const { prompt, label, state, cause, guards, units } = stopped;
  const done = state === 'paused' ? 'paused' : 'rolled back';
  const event = `The release of “${prompt}” at ${label} in ${workspace} was ${done}`;
  if (cause === 'sample_ratio') {
    return {
      title: `${event}: the numbers of units do not match the weights.`,
      more: [toSentence(describeUnits(units)), 'Its results cannot be trusted, so they decide nothing.', checkReports, adviseNext(stopped)],
    };
  }
  const worse = guards.filter(({ verdict }) => verdict === 'worse');
  return {
    title: toSentence([event, worse.map(describeValues).join(', ')].filter((part) => part !== '').join(': ')),
    more: [...worse.map((guard) => toSentence(`For ${guard.metric} of ${guard.arm}, ${describeDifference(guard)}`)), adviseNext(stopped)],
  };
}

const checkReports =
  'Check that each program that reads the prompt with a key also reports its calls, of every version, with the release and the same key.';

function describeUnits(units: StoppedRelease['units']): string {
  const total = units.reduce((sum, arm) => sum + arm.units, 0);
  const toPercent = (share: number) => `${Number((share * 100).toPrecision(3))}%`;
  return units
    .map(
      (arm) =>
        `${arm.arm} has ${arm.units} units, which is ${toPercent(arm.units / total)} instead of ${toPercent(arm.weight / fullWeight)}`,
    )
    .join(', and ');
}

function adviseNext({ state, cause, control }: StoppedRelease): string {
  if (state === 'rolled_back') {
    return `All callers get version ${control} again. Compare the results of the versions, save a corrected version, and start a new release.`;
  }
  const start = 'Callers keep their versions until you decide.';
  if (cause === 'sample_ratio') return `${start} Then resume the release, which measures from the start, or roll it back.`;
  return `${start} Roll the release back, or resume it to measure again.`;
}

function toSentence(text: string): string {
  return `${text}.`;
}
