import { type Static, Type } from 'typebox';
import { Override } from './labels.ts';
import {
  defaultStepMinutes,
  defaultUnits,
  maxReleaseArms,
  maxReleaseAttributes,
  maxReleaseGuards,
  maxReleaseRules,
  maxReleaseSteps,
  maxRuleValueLength,
  maxRuleValues,
  maxScoreNameLength,
  maxScoreValue,
} from './limits.ts';
import { examplePerson, Person } from './people.ts';
import { fullWeight } from './release-assignment.ts';
import { Better, GuardResult, ReleaseProgress } from './release-progress.ts';
import { bodyOf, exactObject, objectOf, orNull } from './shapes.ts';
import { Version, VersionNumber } from './versions.ts';
import { Warning } from './warnings.ts';

// A release divides the callers of a label between the version at the label, which is the control, and other versions, its arms.

const Weight = Type.Integer({ minimum: 0, maximum: fullWeight, description: 'In ten-thousandths of the keys. The control gets the rest.' });
const ReleaseArm = exactObject({ version: VersionNumber, weight: Weight });
const Arms = Type.Array(ReleaseArm, { minItems: 1, maxItems: maxReleaseArms });

const Conditions = Type.Unsafe<Record<string, string[]>>({
  type: 'object',
  minProperties: 1,
  maxProperties: maxReleaseAttributes,
  additionalProperties: {
    type: 'array',
    minItems: 1,
    maxItems: maxRuleValues,
    items: { type: 'string', maxLength: maxRuleValueLength },
  },
  description:
    'The values that each attribute of the context may have. All attributes must match. The attribute `key` is the caller’s key.',
  examples: [{ plan: ['internal'] }],
});
const ReleaseRule = exactObject({
  if: Conditions,
  version: Type.Integer({ ...VersionNumber, description: 'The version of an arm or of the control.' }),
});
const Rules = Type.Array(ReleaseRule, {
  maxItems: maxReleaseRules,
  description:
    'The first matching rule decides. Rules take precedence over weights, and also apply to callers without a key. All rules together: up to 16,384 characters.',
});

const Metric = Type.String({
  pattern: `^(errorRate|latency|cost|score:[^\\u0000-\\u001f\\u007f]{1,${maxScoreNameLength}})$`,
  description: '`errorRate`, `latency`, `cost`, or `score:` and the name of a score, such as `score:helpful`.',
});
const ReleaseGuard = exactObject({
  metric: Metric,
  margin: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: maxScoreValue,
      description:
        'How much worse than the control an arm may be. For `errorRate`, a difference of shares: 0.02 allows 7% of failed calls instead of 5%. ' +
        'Default: 0.02. For `latency` and `cost`, a ratio: 0.1 allows 10% more. Default: 0.1. For a score, a difference of means. A score has no default, so its margin is required.',
    }),
  ),
  better: Type.Optional(Better),
});
export type ReleaseGuard = Static<typeof ReleaseGuard>;

const Guards = Type.Array(ReleaseGuard, {
  maxItems: maxReleaseGuards,
  description: 'What an arm must not make worse. Default: `errorRate`.',
});
const Steps = Type.Array(Type.Integer({ minimum: 1, maximum: fullWeight }), {
  maxItems: maxReleaseSteps,
  description:
    'Increasing weights for the only arm. The service widens the arm to the next weight once every guard has passed. Without steps, only ' +
    'people widen the arms.',
});
const plan = {
  metric: Type.Optional(Metric),
  guards: Type.Optional(Guards),
  steps: Type.Optional(Steps),
  minUnits: Type.Optional(
    Type.Integer({
      minimum: 2,
      maximum: 1_000_000,
      default: defaultUnits,
      description:
        'The number of units (keys with results) that the control and each arm need before the next step. Up to 200,000 units are kept per step. ' +
        'The number is therefore refused if a version has too small a share of the keys to ever have so many units.',
    }),
  ),
  everyMinutes: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_080, default: defaultStepMinutes, description: 'The shortest time between two steps.' }),
  ),
  onRegression: Type.Optional(
    Type.Enum(['rollback', 'pause'], {
      default: 'rollback',
      description: 'What happens if an arm is worse than a guard allows. `rollback`: everyone gets the control again.',
    }),
  ),
};

const exampleNewRelease = {
  control: 3,
  arms: [{ version: 4, weight: 500 }],
  rules: [{ if: { plan: ['internal'] }, version: 4 }],
  guards: [{ metric: 'errorRate' }],
  steps: [1000, 2500, 5000],
};
const releaseInput = {
  control: Type.Integer({
    ...VersionNumber,
    description:
      'The version for everyone who gets no arm. If the label points at another version, the label is moved to this version first.',
  }),
  arms: Arms,
  rules: Type.Optional(Rules),
  ...plan,
};
export const NewRelease = bodyOf('NewRelease', exampleNewRelease, { ...releaseInput, override: Type.Optional(Override) });
/** A release that is proposed. */
export const ProposedRelease = bodyOf('ProposedRelease', exampleNewRelease, releaseInput);
export type ProposedRelease = Static<typeof ProposedRelease>;
export type NewRelease = Static<typeof NewRelease>;

export const ReleaseChange = Type.Partial(
  Type.Object({
    state: Type.Enum(['running', 'paused'], {
      description: '`paused`: callers keep their versions, and the service neither widens the release nor rolls it back.',
    }),
    arms: Type.Array(ReleaseArm, {
      minItems: 1,
      maxItems: maxReleaseArms,
      description: 'All arms of the release with their new weights, none of which may be smaller than before.',
    }),
  }),
  { title: 'ReleaseChange', additionalProperties: false, minProperties: 1, examples: [{ arms: [{ version: 4, weight: 2500 }] }] },
);
export type ReleaseChange = Static<typeof ReleaseChange>;

export const ReleaseFinish = bodyOf(
  'ReleaseFinish',
  { version: 4 },
  {
    version: Type.Integer({ ...VersionNumber, description: 'The version of an arm or of the control.' }),
    override: Type.Optional(Override),
  },
);
export type ReleaseFinish = Static<typeof ReleaseFinish>;

export const releaseStates = ['running', 'paused', 'rolled_back', 'finished'] as const;
export type ReleaseState = (typeof releaseStates)[number];
/** The reasons why a release was paused or rolled back. */
export const releaseCauses = ['person', 'regression', 'sample_ratio', 'not_allowed', 'deleted'] as const;
export type ReleaseCause = (typeof releaseCauses)[number];

const exampleRelease = {
  id: 'rel_mhz1k3p0_0005f0c9a7e21d4b836',
  label: 'production',
  state: 'running',
  cause: null,
  salt: 'rel_mhz1k3p0_0005f0c9a7e21d4b836',
  control: 3,
  arms: [{ version: 4, weight: 500 }],
  rules: [{ if: { plan: ['internal'] }, version: 4 }],
  metric: null,
  guards: [{ metric: 'errorRate', margin: 0.02, better: 'lower' }],
  steps: [1000, 2500, 5000],
  step: 0,
  minUnits: defaultUnits,
  everyMinutes: defaultStepMinutes,
  onRegression: 'rollback',
  startedAt: '2026-11-15T08:30:00.000Z',
  startedBy: examplePerson,
  changedAt: '2026-11-15T08:30:00.000Z',
  endedAt: null,
};
const releaseFields = {
  id: Type.String(),
  label: Type.String(),
  state: Type.Enum([...releaseStates]),
  cause: orNull(
    Type.Enum([...releaseCauses]),
    'Why the release was paused or rolled back. `sample_ratio`: the numbers of units do not match the weights, so the results cannot be trusted. ' +
      '`not_allowed`: the next step would need checks or approvals that a version does not have.',
  ),
  salt: Type.String({ description: 'The arm of a key depends on the salt and the key. It stays the same when weights change.' }),
  control: Type.Integer(),
  arms: Type.Array(ReleaseArm),
  rules: Type.Array(ReleaseRule),
  metric: orNull(Type.String()),
  guards: Type.Array(Type.Object({ metric: Type.String(), margin: Type.Number(), better: Better })),
  steps: Type.Array(Type.Integer()),
  step: Type.Integer({ minimum: 0, description: 'The number of steps that the release has reached.' }),
  minUnits: Type.Integer(),
  everyMinutes: Type.Integer(),
  onRegression: Type.Enum(['rollback', 'pause']),
  startedAt: Type.String(),
  startedBy: Person,
  changedAt: Type.String({ description: 'When the weights or the state last changed. Results are measured from this time.' }),
  endedAt: orNull(Type.String()),
};
export const SavedRelease = objectOf(
  'SavedRelease',
  { ...exampleRelease, warnings: [] },
  { ...releaseFields, warnings: Type.Array(Warning, { description: 'Problems that callers of the arms will have.' }) },
);
export type SavedRelease = Static<typeof SavedRelease>;

export const Release = objectOf(
  'Release',
  {
    ...exampleRelease,
    progress: {
      arms: [
        { arm: 'control', version: 3, weight: 9500, units: 1140, calls: 5230, reads: 5511 },
        { arm: 'v4', version: 4, weight: 500, units: 61, calls: 274, reads: 290 },
      ],
      readsWithoutKey: 12,
      guards: [
        {
          metric: 'errorRate',
          margin: 0.02,
          better: 'lower',
          arm: 'v4',
          control: 0.011,
          value: 0.012,
          difference: { value: 0.001, low: -0.031, high: 0.033 },
          verdict: 'undecided',
        },
      ],
      metric: null,
      next: { weight: 1000, at: '2026-11-15T09:30:00.000Z', waitsFor: ['39 more units for v4'] },
    },
  },
  { ...releaseFields, progress: ReleaseProgress },
);
export type Release = Static<typeof Release>;

export const ReleaseFields = objectOf('ChangedRelease', exampleRelease, releaseFields);
export type ReleaseFields = Static<typeof ReleaseFields>;

/** The last release of a label in a list of prompts. */
export const LabelRelease = Type.Object({
  id: Type.String(),
  state: releaseFields.state,
  control: Type.Integer(),
  arms: Type.Array(ReleaseArm),
  changedAt: releaseFields.changedAt,
});
export type LabelRelease = Static<typeof LabelRelease>;

/**
 * A release in a list of prompts with their content. It contains the data with which a client can choose the version for each key by
 * itself.
 */
export const ListedRelease = Type.Object(
  {
    id: Type.String(),
    salt: Type.String(),
    control: Type.Integer(),
    arms: Type.Array(ReleaseArm),
    rules: Type.Array(ReleaseRule),
    versions: Type.Array(Version, { description: 'The versions of the arms.' }),
  },
  {
    description: 'With `include=content`, if the label has a release. `version` is the control, unless the query has a `key` or a context.',
  },
);
export type ListedRelease = Static<typeof ListedRelease>;

/** The facts about a release that the history and events contain. */
export const RecordedRelease = Type.Object({
  id: Type.String(),
  control: Type.Integer(),
  arms: Type.Array(Type.Object({ version: Type.Integer(), weight: Type.Integer() })),
  cause: Type.Optional(Type.Enum([...releaseCauses])),
  automatic: Type.Optional(
    Type.Literal(true, { description: 'The service made the change. `by` is the person or program that started the release.' }),
  ),
  guards: Type.Optional(Type.Array(GuardResult, { description: 'The numbers that led to an automatic change.' })),
  units: Type.Optional(
    Type.Array(Type.Object({ arm: Type.String(), weight: Type.Integer(), units: Type.Integer() }), {
      description: 'The units that led to an automatic change, with the weights before the change.',
    }),
  ),
});
export type RecordedRelease = Static<typeof RecordedRelease>;
