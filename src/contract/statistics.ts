import { type Static, Type } from 'typebox';

const count = Type.Integer({ minimum: 0 });
const counts = { calls: count, errors: Type.Integer({ minimum: 0, description: 'Calls with a status of 400 or higher.' }) };
const duration = Type.Union([Type.Number(), Type.Null()]);

export const StatisticsQuery = Type.Object(
  {
    from: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601. Default: 24 hours before `to`.' })),
    to: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601. Default: now.' })),
    interval: Type.Optional(
      Type.Union([Type.Literal('hour'), Type.Literal('day')], {
        default: 'hour',
        description: '`hour` for up to 31 days, `day` for up to 400. `from` is rounded down and `to` up to a full interval in UTC.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type StatisticsQuery = Static<typeof StatisticsQuery>;

export const Statistics = Type.Object(
  {
    from: Type.String(),
    to: Type.String({ description: 'Exclusive.' }),
    interval: Type.Union([Type.Literal('hour'), Type.Literal('day')]),
    totals: Type.Object(counts),
    durationMs: Type.Object(
      { p50: duration, p95: duration, p99: duration },
      { description: 'Percentiles of the call duration, accurate to 10%. Null if there were no calls.' },
    ),
    series: Type.Array(Type.Object({ time: Type.String({ description: 'Start of the interval.' }), ...counts }), {
      description:
        'Every interval in the range, including those without calls. Calls older than 90 days are counted at midnight of their day.',
    }),
    byRoute: Type.Array(Type.Object({ route: Type.String({ description: 'Method and path pattern.' }), ...counts }), {
      description: 'Most calls first.',
    }),
    byPrompt: Type.Array(
      Type.Object({
        promptId: Type.String(),
        name: Type.Union([Type.String(), Type.Null()], { description: 'Null once the prompt is permanently deleted.' }),
        ...counts,
        versions: Type.Array(
          Type.Object({
            version: Type.Integer(),
            label: Type.Union([Type.String(), Type.Null()], { description: 'The requested label; null if requested by version number.' }),
            calls: count,
          }),
          { description: 'The versions served, most calls first.' },
        ),
      }),
      { description: 'The 500 most called prompts, with up to 100 versions each.' },
    ),
    byStatus: Type.Array(Type.Object({ status: Type.Integer(), calls: count })),
    keyLastUsedAt: Type.Union([Type.String(), Type.Null()], { description: 'When the current key was last used; null if never.' }),
  },
  {
    title: 'Statistics',
    examples: [
      {
        from: '2026-03-01T12:00:00.000Z',
        to: '2026-03-01T14:00:00.000Z',
        interval: 'hour',
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
        byStatus: [
          { status: 200, calls: 1201 },
          { status: 404, calls: 3 },
        ],
        keyLastUsedAt: '2026-03-01T13:59:58.120Z',
      },
    ],
  },
);
export type Statistics = Static<typeof Statistics>;
