import type { CallSums, PromptResults, ResultsQuery, Score, WorkspaceResults, WorkspaceResultsQuery } from '../../contract/results.ts';

/** The rows of a table. The first row has the names of the columns. */
type Rows = string[][];
type Interval = Pick<PromptResults, 'interval'>;

const columns = ['CALLS', 'ERRORS', 'P50', 'P95', 'TOKENS IN', 'TOKENS OUT', 'COST'];

/** The tables of one prompt. */
export const promptTables: Record<Required<ResultsQuery>['by'], (results: PromptResults) => Rows> = {
  version: ({ versions }) => [
    ['VERSION', ...columns, 'SCORES'],
    ...versions.map(({ version, scores, ...sums }) => [formatVersion(version), ...cells(sums), scores.map(formatScore).join(', ')]),
  ],
  model: ({ models }) => [['MODEL', ...columns], ...models.map(({ model, ...sums }) => [model ?? 'unknown', ...cells(sums)])],
  score: ({ versions }) => [
    ['VERSION', 'SCORE', 'COUNT', 'MEAN', '95% INTERVAL'],
    ...versions.flatMap(({ version, scores }) => scores.flatMap((score) => scoreRows(formatVersion(version), score))),
  ],
  time: ({ series, interval }) => [
    ['TIME', ...columns],
    ...series.map(({ time, ...sums }) => [formatTime(time, { interval }), ...cells(sums)]),
  ],
};

/** The tables of a workspace. */
export const workspaceTables: Record<Required<WorkspaceResultsQuery>['by'], (results: WorkspaceResults) => Rows> = {
  prompt: ({ prompts }) => [['PROMPT', ...columns], ...prompts.map(({ name, promptId, ...sums }) => [name ?? promptId, ...cells(sums)])],
  model: ({ models }) => [['MODEL', ...columns], ...models.map(({ model, ...sums }) => [model ?? 'unknown', ...cells(sums)])],
  time: ({ series, interval }) => [
    ['TIME', ...columns],
    ...series.map(({ time, ...sums }) => [formatTime(time, { interval }), ...cells(sums)]),
  ],
};

function cells({ calls, errors, errorRate, durationMs, inputTokens, outputTokens, cost, unpriced }: CallSums): string[] {
  const share = errors > 0 && errorRate ? ` (${formatShare(errorRate.value)})` : '';
  return [
    String(calls),
    `${errors}${share}`,
    formatDuration(durationMs.p50),
    formatDuration(durationMs.p95),
    String(inputTokens),
    String(outputTokens),
    formatCost(cost, unpriced),
  ];
}

function formatVersion(version: number | null): string {
  return version === null ? 'unknown' : String(version);
}

function formatDuration(ms: number | null): string {
  if (ms === null) return '';
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Formats a cost. A plus sign after the cost means that it lacks the calls of models without a price. */
function formatCost(cost: number, unpriced: number): string {
  if (cost === 0) return unpriced > 0 ? 'unknown' : '$0';
  const more = unpriced > 0 ? '+' : '';
  if (cost < 0.0001) return `<$0.0001${more}`;
  return `$${cost.toFixed(cost < 1 ? 4 : 2)}${more}`;
}

function formatShare(share: number): string {
  const percent = share * 100;
  return percent > 0 && percent < 0.1 ? '<0.1%' : `${Number(percent.toFixed(1))}%`;
}

/** Formats a score in a few words, with the number of ratings: `helpful 90% (40)`. */
function formatScore(score: Score): string {
  const { name, kind, count, categories } = score;
  if (kind !== 'category') return `${name} ${formatMean(score, score.mean)} (${count})`;
  return `${name} ${categories.map(({ value, count: number }) => `${value} ${number}`).join(' ')}`;
}

function formatMean({ kind }: Pick<Score, 'kind'>, mean: number | null): string {
  if (mean === null) return '';
  return kind === 'boolean' ? formatShare(mean) : String(Number(mean.toPrecision(3)));
}

function scoreRows(version: string, score: Score): Rows {
  const { name, kind, count, mean, low, high, categories } = score;
  if (kind === 'category') return categories.map(({ value, count: number }) => [version, `${name}: ${value}`, String(number), '', '']);
  const interval = low === null || high === null ? '' : `${formatMean(score, low)} to ${formatMean(score, high)}`;
  return [[version, name, String(count), formatMean(score, mean), interval]];
}

/** Formats a time in UTC, because the command does not ask for another time zone. */
function formatTime(time: string, { interval }: Interval): string {
  return interval === 'day' ? time.slice(0, '2026-03-01'.length) : `${time.slice(0, '2026-03-01T14:00'.length)}Z`;
}
