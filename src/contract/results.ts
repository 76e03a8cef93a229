import { type Static, Type } from 'typebox';
import {
  labelPattern,
  maxErrorTypeLength,
  maxModelNameLength,
  maxPromptNameLength,
  maxReleaseKeyLength,
  maxReportedCalls,
  maxResultIdLength,
  maxScoreNameLength,
} from './limits.ts';
import { ReportedReleases } from './period-releases.ts';
import { bodyOf, exactObject, objectOf, orNull, queryOf } from './shapes.ts';
import { exampleRange, rangeFields, rangeParameters } from './time-ranges.ts';

// Programs report facts about their model calls. The service keeps only numbers, by prompt, version, label, model and hour.

const count = Type.Integer({ minimum: 0 });
const id = (description: string) => Type.String({ minLength: 1, maxLength: maxResultIdLength, description });
const milliseconds = (description: string) => Type.Number({ minimum: 0, maximum: 1e9, description });
const tokens = Type.Integer({ minimum: 0, maximum: 1e9 });

export const promptName = Type.String({ minLength: 1, maxLength: 2 * maxPromptNameLength, description: 'The name of a prompt.' });
export const versionNumber = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
export const reportedLabel = Type.String({ pattern: labelPattern, description: 'The label with which the prompt was fetched.' });
export const traceId = id('The id of the trace to which the call belongs. Feedback can refer to it for 72 hours.');
export const responseId = id('The id that the model API gave to its response. Feedback can refer to it for 72 hours.');

export const reportedKey = (description: string) => Type.String({ minLength: 1, maxLength: maxReleaseKeyLength, description });

export const CallReport = exactObject({
  prompt: promptName,
  version: Type.Optional(versionNumber),
  label: Type.Optional(reportedLabel),
  release: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'The id of the release that chose the version by the key (`reason` is `SPLIT`). With `version` and `key`, the call counts for the release.',
    }),
  ),
  key: Type.Optional(
    reportedKey('The key with which the prompt was fetched. Only a hash of it is kept, which is different in each release.'),
  ),
  model: Type.Optional(Type.String({ minLength: 1, maxLength: maxModelNameLength })),
  provider: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Who runs the model, such as `openai`. Determines the list price.' }),
  ),
  durationMs: milliseconds('How long the call took.'),
  firstChunkMs: Type.Optional(milliseconds('The time until the first part of the response arrived.')),
  inputTokens: Type.Optional(tokens),
  outputTokens: Type.Optional(tokens),
  cost: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1e6,
      description: 'In US dollars. By default, the cost is calculated from the tokens and the price of the model.',
    }),
  ),
  error: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: maxErrorTypeLength,
      description: 'Why the call failed, such as `timeout` or `429`. Absent if the call succeeded.',
    }),
  ),
  traceId: Type.Optional(traceId),
  spanId: Type.Optional(id('The id of the call within its trace.')),
  responseId: Type.Optional(responseId),
  id: Type.Optional(id('An id of your own, for calls without a `spanId`. A call that is reported again with the same id is counted once.')),
  endedAt: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'ISO 8601. Determines the hour in which the call is counted. Default: the time of arrival, which also replaces times in the future and ' +
        'times more than 24 hours ago.',
    }),
  ),
});
export type CallReport = Static<typeof CallReport>;

export const ResultReport = bodyOf(
  'ResultReport',
  { calls: [{ prompt: 'support/triage', version: 3, model: 'gpt-5-mini', durationMs: 812, inputTokens: 410, outputTokens: 36 }] },
  { calls: Type.Array(CallReport, { minItems: 1, maxItems: maxReportedCalls }) },
);
export type ResultReport = Static<typeof ResultReport>;

export const ReportReceipt = objectOf(
  'ReportReceipt',
  { accepted: 1, dropped: 0 },
  {
    accepted: Type.Integer({ minimum: 0, description: 'The calls that were counted, by this report or an earlier one.' }),
    dropped: Type.Integer({ minimum: 0, description: 'The calls whose prompt or version does not exist in the workspace.' }),
    hint: Type.Optional(
      Type.String({
        description:
          'Present if calls have a `key`, but no `release`, while a release divides the callers of the prompt. Such calls do not count for the release.',
      }),
    ),
  },
);
export type ReportReceipt = Static<typeof ReportReceipt>;

const bounds = { low: Type.Number(), high: Type.Number() };
const rate = orNull(
  Type.Object({ value: Type.Number(), ...bounds }),
  'The share of calls that failed, with its 95% confidence interval. Null if there were no calls.',
);
const percentiles = (description: string) => Type.Object({ p50: orNull(Type.Number()), p95: orNull(Type.Number()) }, { description });

const Score = Type.Object({
  name: Type.String(),
  kind: Type.Enum(['number', 'boolean', 'category']),
  count,
  mean: orNull(Type.Number(), 'For booleans, the share of `true`. Null for categories.'),
  low: orNull(Type.Number(), 'The lower bound of the 95% confidence interval of the mean. Null for categories and for a single value.'),
  high: orNull(Type.Number()),
  categories: Type.Array(Type.Object({ value: Type.String(), count }), { description: 'Empty unless the values are categories.' }),
});
export type Score = Static<typeof Score>;

const sums = {
  calls: count,
  errors: count,
  errorRate: rate,
  durationMs: percentiles('Percentiles of the duration of successful calls, accurate to 10%. Null if no call succeeded.'),
  firstChunkMs: percentiles('Percentiles of the time to the first part of the response, accurate to 10%. Null if none was reported.'),
  inputTokens: count,
  outputTokens: count,
  cost: Type.Number({ description: 'In US dollars, as reported, or calculated with the prices at the time of the report.' }),
  costPerCall: orNull(Type.Number(), 'The mean over the calls whose cost is known. Null if there are no such calls.'),
  unpriced: Type.Integer({ minimum: 0, description: 'The calls that reported tokens, but whose model has no known price.' }),
};
const details = {
  errorTypes: Type.Array(Type.Object({ type: Type.String(), calls: count }), {
    description: 'Most frequent first. `other` counts the rest.',
  }),
  scores: Type.Array(Score, { description: 'Sorted by name.' }),
};
const ResultSums = Type.Object({ ...sums, ...details });
export type ResultSums = Static<typeof ResultSums>;
export type CallSums = Omit<ResultSums, 'errorTypes' | 'scores'>;

const version = orNull(Type.Integer(), 'Null for calls that were reported without a version.');
const exampleCalls = {
  calls: 1204,
  errors: 6,
  errorRate: { value: 0.00498, low: 0.00229, high: 0.01083 },
  durationMs: { p50: 812, p95: 2904 },
  firstChunkMs: { p50: 240, p95: 611 },
  inputTokens: 493_640,
  outputTokens: 43_344,
  cost: 0.21,
  costPerCall: 0.000174,
  unpriced: 0,
};
const exampleSums = {
  ...exampleCalls,
  errorTypes: [{ type: '429', calls: 6 }],
  scores: [{ name: 'helpful', kind: 'boolean', count: 40, mean: 0.9, low: 0.77, high: 0.96, categories: [] }],
};

const { member: _member, ...ranges } = rangeParameters;
export const ResultsQuery = queryOf({
  ...ranges,
  version: Type.Integer({
    minimum: 0,
    description: 'Only calls of this version are counted. `0`: calls that were reported without a version.',
  }),
  label: Type.String({ maxLength: 50, description: 'Only calls that were reported with this label are counted.' }),
  model: Type.String({ minLength: 1, maxLength: maxModelNameLength, description: 'Only calls to this model are counted.' }),
  by: Type.Enum(['version', 'time', 'model', 'score'], { description: 'The table that a CSV response contains. Default: `version`.' }),
});
export type ResultsQuery = Static<typeof ResultsQuery>;

const Deployment = Type.Object({
  at: Type.String(),
  label: Type.String(),
  version: Type.Integer(),
  from: orNull(Type.Integer(), 'The version that the label pointed at before. Null if the label was new.'),
});

const Comparison = Type.Object({
  label: Type.String(),
  since: Type.String({ description: 'When the label was moved to its current version.' }),
  current: Type.Object({ version: Type.Integer(), ...sums, ...details }),
  previous: Type.Object({ version: Type.Integer(), ...sums, ...details }),
});

export const PromptResults = objectOf(
  'PromptResults',
  {
    ...exampleRange,
    totals: exampleSums,
    versions: [{ version: 3, ...exampleSums }],
    models: [{ model: 'gpt-5-mini', ...exampleCalls }],
    series: [{ time: '2026-03-01T13:00:00.000Z', ...exampleCalls, versions: [{ version: 3, calls: 1204, errors: 6 }] }],
    deployments: [{ at: '2026-03-01T13:12:04.000Z', label: 'production', version: 3, from: 2 }],
    comparison: null,
    releases: [
      {
        id: 'rel_mhz1k3p0_0005f0c9a7e21d4b836',
        label: 'production',
        state: 'running',
        startedAt: '2026-03-01T12:30:00.000Z',
        changedAt: '2026-03-01T12:30:00.000Z',
        endedAt: null,
        readsWithoutKey: 12,
        arms: [
          { arm: 'control', version: 2, weight: 9500, reads: 5511, units: 1140, calls: 5230 },
          { arm: 'v3', version: 3, weight: 500, reads: 290, units: 61, calls: 274 },
        ],
      },
    ],
  },
  {
    ...rangeFields,
    totals: ResultSums,
    versions: Type.Array(Type.Object({ version, ...sums, ...details }), {
      description: 'The 50 versions with the most calls, newest version first.',
    }),
    models: Type.Array(
      Type.Object({
        model: orNull(Type.String(), 'Null for calls without a model, and for calls beyond the limit of 100 models per hour.'),
        ...sums,
      }),
      { description: 'The 500 models with the highest cost. Models with the same cost are sorted by calls.' },
    ),
    series: Type.Array(
      Type.Object({
        time: Type.String({ description: 'The start of the interval.' }),
        ...sums,
        versions: Type.Array(Type.Object({ version, calls: count, errors: count })),
      }),
      { description: 'Every interval in the range, including those without calls.' },
    ),
    deployments: Type.Array(Deployment, { description: 'The last 100 label moves in the range, oldest first.' }),
    comparison: orNull(
      Comparison,
      'The calls of the current version at a label, and of the version that had the label before, in the whole range. The label is the one in the parameter `label`, or else `production`. The comparison is filtered by `model`, but not by `version`. Null if one of the two versions has no calls.',
    ),
    releases: ReportedReleases,
  },
);
export type PromptResults = Static<typeof PromptResults>;

export const WorkspaceResultsQuery = queryOf({
  ...ranges,
  by: Type.Enum(['prompt', 'model', 'time'], { description: 'The table that a CSV response contains. Default: `prompt`.' }),
});
export type WorkspaceResultsQuery = Static<typeof WorkspaceResultsQuery>;

export const WorkspaceResults = objectOf(
  'WorkspaceResults',
  {
    ...exampleRange,
    totals: exampleCalls,
    prompts: [{ promptId: 'p_mhz1k3p0_0005f0c9a7e21d4b836', name: 'support/triage', ...exampleCalls }],
    models: [{ model: 'gpt-5-mini', ...exampleCalls }],
    series: [{ time: '2026-03-01T13:00:00.000Z', ...exampleCalls }],
    dropped: [{ reason: 'no_prompt', count: 12 }],
    lastReportedAt: '2026-03-01T13:00:00.000Z',
  },
  {
    ...rangeFields,
    totals: Type.Object(sums),
    prompts: Type.Array(
      Type.Object({ promptId: Type.String(), name: orNull(Type.String(), 'Null if the prompt was permanently deleted.'), ...sums }),
      { description: 'The 500 prompts with the highest cost. Prompts with the same cost are sorted by calls.' },
    ),
    models: Type.Array(Type.Object({ model: orNull(Type.String()), ...sums }), { description: 'The 500 models with the highest cost.' }),
    series: Type.Array(Type.Object({ time: Type.String(), ...sums })),
    dropped: Type.Array(
      Type.Object({
        reason: Type.Enum(['no_prompt', 'unknown_prompt', 'unknown_version', 'no_match', 'invalid'], {
          description:
            '`no_prompt`: spans that do not name a prompt. `unknown_prompt`, `unknown_version`: the workspace does not have the prompt or version. ' +
            '`no_match`: scores whose trace or response is unknown. `invalid`: values of the wrong type, ' +
            'and spans and scores beyond a limit.',
        }),
        count,
      }),
      { description: 'What was reported but not counted.' },
    ),
    lastReportedAt: orNull(
      Type.String(),
      'The hour of the last reported call, or its day if the call is older than 90 days. Null if no call was reported.',
    ),
  },
);
export type WorkspaceResults = Static<typeof WorkspaceResults>;
export type DropReason = WorkspaceResults['dropped'][number]['reason'];

export const scoreName = Type.String({
  minLength: 1,
  maxLength: maxScoreNameLength,
  pattern: '^[^\\u0000-\\u001f\\u007f]+$',
  description: 'Such as `helpful`.',
});
