import type { RunStatistics, RunStatisticsQuery } from '../../contract/run-statistics.ts';
import type { Statistics, StatisticsQuery } from '../../contract/statistics.ts';
import { formatCsv } from '../../platform/csv.ts';

type Row = (string | number | null)[];
type Table = Required<StatisticsQuery>['by'];
type RunTable = Required<RunStatisticsQuery>['by'];

/** Formats one table of the statistics. */
export function formatStatistics(stats: Statistics, table: Table): string {
  const formatTime = createTimeFormat(stats);
  const tables: Record<Table, () => Row[]> = {
    time: () => [['time', 'calls', 'errors'], ...stats.series.map(({ time, calls, errors }) => [formatTime(time), calls, errors])],
    prompt: () => [
      ['prompt', 'promptId', 'calls', 'errors'],
      ...stats.byPrompt.map(({ name, promptId, calls, errors }) => [name, promptId, calls, errors]),
    ],
    version: () => [
      ['prompt', 'promptId', 'version', 'label', 'calls'],
      ...stats.byPrompt.flatMap(({ name, promptId, versions }) =>
        versions.map(({ version, label, calls }): Row => [name, promptId, version, label, calls]),
      ),
    ],
    member: () => [
      ['member', 'userId', 'kind', 'calls', 'errors'],
      ...stats.byMember.map(({ name, userId, kind, calls, errors }) => [name, userId, kind, calls, errors]),
    ],
    route: () => [['route', 'calls', 'errors'], ...stats.byRoute.map(({ route, calls, errors }) => [route, calls, errors])],
    status: () => [['status', 'calls'], ...stats.byStatus.map(({ status, calls }) => [status, calls])],
  };
  return formatCsv(tables[table]());
}

const runColumns = ['runs', 'errors', 'inputTokens', 'outputTokens', 'costUsd', 'unpriced', 'p50Ms', 'p95Ms', 'p99Ms'];

/** Formats one table of the statistics of model runs. */
export function formatRunStatistics(stats: RunStatistics, table: RunTable): string {
  const formatTime = createTimeFormat(stats);
  const tables: Record<RunTable, () => Row[]> = {
    time: () => [['time', ...runColumns], ...stats.series.map(({ time, ...sums }) => [formatTime(time), ...runCells(sums)])],
    model: () => [['model', ...runColumns], ...stats.byModel.map(({ model, ...sums }) => [model, ...runCells(sums)])],
    member: () => [
      ['member', 'userId', 'kind', ...runColumns],
      ...stats.byMember.map(({ name, userId, kind, ...sums }) => [name, userId, kind, ...runCells(sums)]),
    ],
  };
  return formatCsv(tables[table]());
}

function runCells({ runs, errors, inputTokens, outputTokens, cost, unpriced, durationMs }: RunStatistics['totals']): Row {
  return [runs, errors, inputTokens, outputTokens, cost, unpriced, durationMs.p50, durationMs.p95, durationMs.p99];
}

/** Returns a function that formats times of a series in its time zone: `2026-03-01`, or `2026-03-01T14:00+01:00`. */
export function createTimeFormat({ interval, timeZone }: Pick<Statistics, 'interval' | 'timeZone'>): (time: string) => string {
  const numbers = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  if (interval === 'day') {
    const { format } = new Intl.DateTimeFormat('sv', { timeZone, ...numbers });
    return (time) => format(new Date(time));
  }
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  // The Swedish format is the same as the format of ISO 8601, except that the offset has the form "GMT+01:00".
  const { format } = new Intl.DateTimeFormat('sv', { timeZone, ...numbers, ...clock, timeZoneName: 'longOffset' });
  return (time) => {
    const [day, hour, offset = ''] = format(new Date(time)).split(' ');
    return `${day}T${hour}${offset.replace('GMT', '').replace('−', '-')}`;
  };
}
