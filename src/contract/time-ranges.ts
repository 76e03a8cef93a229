import { Type } from 'typebox';
import { workspaceIdPattern } from './limits.ts';

/** The parameters that select the time and the form of statistics. */
export const rangeParameters = {
  from: Type.String({ maxLength: 40, description: 'ISO 8601. Default: 24 hours before `to`.' }),
  to: Type.String({ maxLength: 40, description: 'ISO 8601. Default: now.' }),
  interval: Type.Union([Type.Literal('hour'), Type.Literal('day')], {
    default: 'hour',
    description:
      'Use `hour` for ranges of up to 31 days, and `day` for up to 400 days. The interval affects only the series. For both intervals, ' +
      '`from` is rounded down and `to` is rounded up to a full hour in UTC, so the totals are the same.',
  }),
  timeZone: Type.String({
    maxLength: 64,
    default: 'UTC',
    description:
      'The time zone in which days begin, such as `Europe/Berlin`. Calls are counted by the hour in UTC, and an hour belongs to the day on which it begins in that time zone.',
  }),
  member: Type.String({
    pattern: workspaceIdPattern,
    description: 'The `userId` of a member. Only this member’s calls and runs are counted.',
  }),
  format: Type.Enum(['json', 'csv'], {
    description:
      '`csv` returns one table of the statistics as CSV (RFC 4180). The header `Accept: text/csv` has the same effect. Text that a spreadsheet would read as a formula begins with an apostrophe. Default: `json`.',
  }),
};

/** The range and the form of statistics, as the response has them. */
export const rangeFields = {
  from: Type.String(),
  to: Type.String({ description: 'The end of the range, exclusive.' }),
  now: Type.String({ description: 'The time of the response. The interval that contains it is still in progress.' }),
  interval: Type.Union([Type.Literal('hour'), Type.Literal('day')]),
  timeZone: Type.String(),
};
export const exampleRange = {
  from: '2026-03-01T12:00:00.000Z',
  to: '2026-03-01T14:00:00.000Z',
  now: '2026-03-01T13:59:59.007Z',
  interval: 'hour',
  timeZone: 'UTC',
};
