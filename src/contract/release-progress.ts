import { type Static, Type } from 'typebox';
import { orNull } from './shapes.ts';

// The progress of a release is what the service measures while the release runs, and what the release waits for.

export const Better = Type.Enum(['higher', 'lower'], { description: 'Which values of a score are better. Default: `higher`.' });

const value = orNull(Type.Number());
const Difference = Type.Object(
  { value: Type.Number(), low: Type.Number(), high: Type.Number() },
  {
    description:
      'The arm minus the control, as a ratio for `latency` and `cost` (0.1 is 10% more). In 95% of releases, the true difference stays between ' +
      '`low` and `high`, however often they are read.',
  },
);
export const GuardResult = Type.Object({
  metric: Type.String(),
  margin: Type.Number(),
  better: Better,
  arm: Type.String(),
  control: orNull(
    Type.Number(),
    'The mean of the control. For `latency` (milliseconds) and `cost` (US dollars per call), the geometric mean.',
  ),
  value: orNull(Type.Number(), 'The mean of the arm.'),
  difference: orNull(Difference),
  verdict: Type.Enum(['passed', 'worse', 'undecided'], {
    description:
      '`passed`: the arm is certainly not worse than the margin allows. `worse`: it certainly is. `undecided`: there are not enough results yet.',
  }),
});
export type GuardResult = Static<typeof GuardResult>;

export const ReleaseProgress = Type.Object({
  arms: Type.Array(
    Type.Object({
      arm: Type.String(),
      version: Type.Integer(),
      weight: Type.Integer(),
      units: Type.Integer({ minimum: 0, description: 'The keys with results since the weights last changed.' }),
      calls: Type.Integer({ minimum: 0, description: 'The reported calls with these keys.' }),
      reads: Type.Integer({ minimum: 0, description: 'How often a key or a rule chose the version since the start.' }),
    }),
    { description: 'The control first, then the arms.' },
  ),
  readsWithoutKey: Type.Integer({ minimum: 0, description: 'The reads without a key since the start, which got the control.' }),
  guards: Type.Array(GuardResult),
  metric: orNull(
    Type.Object({
      metric: Type.String(),
      arms: Type.Array(
        Type.Object({
          arm: Type.String(),
          value,
          difference: orNull(Difference),
          probabilityBetter: orNull(
            Type.Number(),
            'For shares: the probability that the arm is better than the control. The service decides nothing with it.',
          ),
        }),
      ),
    }),
    'The metric that the release should improve. The service shows it, but decides nothing with it.',
  ),
  next: orNull(
    Type.Object({
      weight: orNull(Type.Integer(), 'The next step. Null after the last step.'),
      at: orNull(Type.String(), 'The earliest time of the next step.'),
      waitsFor: Type.Array(Type.String(), {
        description: 'The results that the next step waits for, in words. Empty if it waits only for the time.',
      }),
    }),
    'Null if the release is not running.',
  ),
});
export type ReleaseProgress = Static<typeof ReleaseProgress>;
