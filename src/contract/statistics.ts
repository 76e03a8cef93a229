import { type Static, Type } from 'typebox';
import { maxPromptNameLength } from './limits.ts';
import { ReadReleases } from './period-releases.ts';
import { objectOf, orNull, queryOf } from './shapes.ts';
import { exampleRange, rangeFields, rangeParameters } from './time-ranges.ts';

const count = Type.Integer({ minimum: 0 });
const counts = { calls: count, errors: Type.Integer({ minimum: 0, description: 'Calls with a status of 400 or higher.' }) };
const duration = orNull(Type.Number());
export const durations = { p50: duration, p95: duration, p99: duration };

export const StatisticsQuery = queryOf({
  ...rangeParameters,
  prompt: // The length is counted in UTF-16 units here; the name is checked when it is looked up.
    Type.String({
      maxLength: 2 * maxPromptNameLength,
      description: 'The name of a prompt. Only calls that returned or rendered this prompt are counted.',
    }),
  status: Type.Integer({ minimum: 100, maximum: 599, description: 'Only calls with this response status are counted.' }),
  by: Type.Enum(['time', 'prompt', 'version', 'member', 'route', 'status'], {
    description: 'The table that a CSV response contains. Default: `time`.',
  }),
});
export type StatisticsQuery = Static<typeof StatisticsQuery>;

export const exampleCaller = { userId: 'u_mhz1k3p0_0005f0c9a7e21d4b836', name: 'Ada Lovelace', kind: 'person' };
export const caller = {
  userId: orNull(
    Type.String(),
    'Null for calls and runs that are not counted by member. Per hour, up to 1,000 combinations of member, route and status are counted for calls, and up to 200 combinations of member and model for runs.',
  ),
  name: orNull(Type.String(), 'The current name. Null if the account is no longer a member.'),
  kind: orNull(Type.Enum(['person', 'service']), '`service`: an account for a program. Null if the account is no longer a member.'),
};

const exampleStatistics = {
  ...exampleRange,
  totals: { calls: 1204, errors: 3 },
  durationMs: { p50: 1.241, p95: 3.703, p99: 9.214 },
  series: [
    { time: '2026-03-01T12:00:00.000Z', calls: 0, errors: 0 },
    { time: '2026-03-01T13:00:00.000Z', calls: 1204, errors: 3 },
  ],
  byRoute: [
    { route: 'GET /api/prompts/{name}', calls: 1200, errors: 3 },
    { route: 'GET /api/auth/token', calls: 4, errors: 0 },
  ],
  byPrompt: [
    {
      promptId: 'p_mhz1k3p0_0005f0c9a7e21d4b836',
      name: 'support/triage',
      calls: 1197,
      errors: 0,
      versions: [
        { version: 3, label: 'production', calls: 1190 },
        { version: 4, label: null, calls: 7 },
      ],
    },
  ],
  byMember: [{ ...exampleCaller, calls: 1204, errors: 3 }],
  byStatus: [
    { status: 200, calls: 1201 },
    { status: 404, calls: 3 },
  ],
  keyLastUsedAt: '2026-03-01T13:59:58.120Z',
};
export const Statistics = objectOf('Statistics', exampleStatistics, {
  ...rangeFields,
  totals: Type.Object(counts),
  durationMs: Type.Object(durations, {
    description:
      'Percentiles of the call duration, accurate to 10%. Null if there were no calls, or if you filter by `prompt` or `member`.',
  }),
  series: Type.Array(Type.Object({ time: Type.String({ description: 'The start of the interval.' }), ...counts }), {
    description:
      'Every interval in the range, including those without calls. The first and the last day count only the hours in the range. A day begins with the first full hour in UTC after midnight in the time zone. Calls older than 90 days are counted at midnight UTC on the day on which they were made.',
  }),
  byRoute: Type.Array(Type.Object({ route: Type.String({ description: 'The method and path pattern.' }), ...counts }), {
    description: 'Sorted by calls, most first. Empty if you filter by `prompt`.',
  }),
  byPrompt: Type.Array(
    Type.Object({
      promptId: Type.String(),
      name: orNull(Type.String(), 'Null if the prompt was permanently deleted.'),
      ...counts,
      versions: Type.Array(
        Type.Object({
          version: Type.Integer(),
          label: orNull(Type.String(), 'The requested label. Null if the version was requested by number.'),
          calls: count,
        }),
        { description: 'The versions that were returned, most calls first.' },
      ),
    }),
    {
      description:
        'The 500 most called prompts, with up to 100 versions each and 5,000 versions in total. Empty if you filter by `member`.',
    },
  ),
  byMember: Type.Array(Type.Object({ ...caller, ...counts }), {
    description:
      'The members whose keys were used, most calls first. Every account has one key, and calls with its former keys count too. Empty if ' +
      'you filter by `prompt`. Calls that were made before the service counted calls by member are attributed to the owner.',
  }),
  byStatus: Type.Array(Type.Object({ status: Type.Integer(), calls: count })),
  byVersion: Type.Optional(
    Type.Array(
      Type.Object({
        version: Type.Integer(),
        label: orNull(Type.String()),
        ...counts,
        series: Type.Array(count, { description: 'The calls in each interval of the top-level `series`.' }),
      }),
      { description: 'Present only if you filter by `prompt`. Lists the 20 most frequent combinations of version and requested label.' },
    ),
  ),
  errors: Type.Optional(
    Type.Array(
      Type.Object({
        code: Type.String({ description: 'The error code.' }),
        name: orNull(
          Type.String(),
          'The missing variable, or the included prompt that was not found, with its label unless that is `production`. Null if the error concerns neither, or if 20 other names were already counted in that hour.',
        ),
        calls: count,
      }),
      {
        description:
          'Present only if you filter by `prompt`. Lists why the prompt could not be rendered, most frequent reasons first. A call in which two required variables are missing counts once for each variable.',
      },
    ),
  ),
  releases: Type.Optional(ReadReleases),
  keyLastUsedAt: orNull(Type.String(), 'When the current key was last used. Null if never.'),
});
export type Statistics = Static<typeof Statistics>;
