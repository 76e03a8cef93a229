import { type Static, Type } from 'typebox';
import { maxModelNameLength } from './limits.ts';
import { objectOf, orNull, queryOf } from './shapes.ts';
import { caller, durations, exampleCaller } from './statistics.ts';
import { exampleRange, rangeFields, rangeParameters } from './time-ranges.ts';

const count = Type.Integer({ minimum: 0 });
const sums = {
  runs: Type.Integer({ minimum: 0, description: 'Requests to models. A check run makes several requests.' }),
  errors: Type.Integer({ minimum: 0, description: 'Requests that failed or were canceled.' }),
  inputTokens: count,
  outputTokens: count,
  cost: Type.Number({ description: 'In US dollars, at the prices of that time.' }),
  unpriced: Type.Integer({ minimum: 0, description: 'Requests whose cost is unknown, because there was no price for the model.' }),
  durationMs: Type.Object(durations, {
    description: 'Percentiles of the duration of successful requests, accurate to 10%. Null if no request succeeded.',
  }),
};

export const RunStatisticsQuery = queryOf({
  ...rangeParameters,
  model: Type.String({ minLength: 1, maxLength: maxModelNameLength, description: 'Only requests to this model are counted.' }),
  by: Type.Enum(['time', 'model', 'member'], { description: 'The table that a CSV response contains. Default: `time`.' }),
});
export type RunStatisticsQuery = Static<typeof RunStatisticsQuery>;

const exampleSums = {
  runs: 42,
  errors: 1,
  inputTokens: 18_400,
  outputTokens: 5210,
  cost: 0.0612,
  unpriced: 0,
  durationMs: { p50: 1240, p95: 3703, p99: 9214 },
};
const exampleRunStatistics = {
  ...exampleRange,
  from: '2026-03-01T00:00:00.000Z',
  interval: 'day',
  totals: exampleSums,
  series: [{ time: '2026-03-01T00:00:00.000Z', ...exampleSums }],
  byModel: [{ model: 'gpt-5-mini', ...exampleSums }],
  byMember: [{ ...exampleCaller, ...exampleSums }],
};
export const RunStatistics = objectOf('RunStatistics', exampleRunStatistics, {
  ...rangeFields,
  totals: Type.Object(sums),
  series: Type.Array(Type.Object({ time: Type.String({ description: 'The start of the interval.' }), ...sums }), {
    description: 'Every interval in the range, including those without runs, as in `GET /api/stats`.',
  }),
  byModel: Type.Array(
    Type.Object({
      model: orNull(
        Type.String(),
        'Null for the requests that are not counted by model. Up to 200 combinations of member and model are counted per hour.',
      ),
      ...sums,
    }),
    { description: 'Sorted by cost, highest first, and then by the number of runs.' },
  ),
  byMember: Type.Array(Type.Object({ ...caller, ...sums }), {
    description: 'The members who started the runs and check runs, with a key or in the dashboard. Sorted by cost, highest first.',
  }),
});
export type RunStatistics = Static<typeof RunStatistics>;
