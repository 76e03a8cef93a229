import { fullWeight } from '../../contract/release-assignment.ts';
import type { StoppedRelease } from '../../store/accounts/notifications.ts';
import { describeDifference, describeMetric, describeValues } from './guard-texts.ts';

/** Says why the service has rolled back or paused a release, and what to do next. */
export function describeStop(stopped: StoppedRelease, workspace: string): { title: string; more: string[] } {
  const { prompt, label, state, cause, guards, units } = stopped;
  const done = state === 'paused' ? 'paused' : 'rolled back';
  const event = `The release of “${prompt}” on ${label} in ${workspace} was ${done}`;
  if (cause === 'sample_ratio') {
    return {
      title: `${event}: the numbers of units do not match the weights.`,
      more: [
        toSentence(describeUnits(units)),
        'The results cannot be trusted, so the service takes no further steps.',
        checkReports,
        adviseNext(stopped),
      ],
    };
  }
  if (cause === 'not_allowed') {
    return {
      title: `${event}: its versions do not have the checks or approvals that ${label} requires now.`,
      more: [
        'The guards have passed, but the rules of the label allow neither the service nor a person to take the next step.',
        `${stay} Run the checks of the versions and resume the release, or roll it back and propose it as a new release.`,
      ],
    };
  }
  const worse = guards.filter(({ verdict }) => verdict === 'worse');
  return {
    title: toSentence([event, worse.map(describeValues).join(', ')].filter((part) => part !== '').join(': ')),
    more: [...worse.map((guard) => toSentence(`For ${describeMetric(guard)}, ${describeDifference(guard)}`)), adviseNext(stopped)],
  };
}

const stay = 'Callers keep their versions until you decide.';
const checkReports =
  'Check that each program that reads the prompt with a key reports its calls for all versions, with the id of the release and the same key.';

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
  if (cause === 'sample_ratio')
    return `${stay} After you have corrected the reports, resume the release, which restarts its measurement, or roll it back.`;
  return `${stay} Roll the release back, or resume it, which restarts its measurement.`;
}

function toSentence(text: string): string {
  return `${text}.`;
}
