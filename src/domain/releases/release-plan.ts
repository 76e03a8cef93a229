import { defaultStepMinutes, defaultUnits } from '../../contract/limits.ts';
import type { ProposedRelease, ReleaseGuard } from '../../contract/releases.ts';
import { invalidField } from '../../errors.ts';
import type { ReleasePlan } from '../../store/prompts/releases.ts';
import { assertPlainText } from '../prompts/versions/version-content.ts';

const defaultMargins: Record<string, number> = { errorRate: 0.02, latency: 0.1, cost: 0.1 };

/** Validates the conditions under which the service widens a release or rolls it back, and adds the defaults. */
export function toPlan(input: ProposedRelease): ReleasePlan {
  const { metric = null, guards = [{ metric: 'errorRate' }], steps = [] } = input;
  const { minUnits = defaultUnits, everyMinutes = defaultStepMinutes, onRegression = 'rollback' } = input;
  if (metric !== null) assertPlainText('/metric', metric);
  assertSteps(input, steps);
  return { metric, guards: guards.map(toGuard), steps, minUnits, everyMinutes, onRegression };
}

function toGuard(
  { metric, margin = defaultMargins[metric], better }: ReleaseGuard,
  index: number,
  guards: ReleaseGuard[],
): ReleasePlan['guards'][number] {
  const path = `/guards/${index}`;
  assertPlainText(`${path}/metric`, metric);
  if (guards.findIndex((guard) => guard.metric === metric) !== index) throw invalidField(`${path}/metric`, 'List each metric once');
  if (margin === undefined) throw invalidField(`${path}/margin`, 'A score needs a margin: how much lower or higher its mean may be');
  if (metric in defaultMargins && better === 'higher') throw invalidField(`${path}/better`, `Lower values of ${metric} are always better`);
  return { metric, margin, better: metric in defaultMargins ? 'lower' : (better ?? 'higher') };
}

function assertSteps({ arms }: ProposedRelease, steps: number[]): void {
  if (steps.length === 0) return;
  const [first, ...others] = arms;
  if (others.length > 0)
    throw invalidField(
      '/steps',
      'A release with steps must have exactly one arm. To widen several arms, leave out the steps and set their weights yourself.',
    );
  let before = first?.weight ?? 0;
  for (const [index, weight] of steps.entries()) {
    if (weight <= before)
      throw invalidField(`/steps/${index}`, `Each weight must be larger than the one before: ${weight} is not larger than ${before}`);
    before = weight;
  }
}
