import type { CallSums, PromptResults, ResultsQuery, WorkspaceResults, WorkspaceResultsQuery } from '../../contract/results.ts';
import { formatCsv } from '../../platform/csv.ts';
import { createTimeFormat } from '../statistics/statistics-csv.ts';

type Row = (string | number | null)[];

const columns = [
  ...['calls', 'errors', 'p50Ms', 'p95Ms', 'firstChunkP50Ms', 'firstChunkP95Ms'],
  ...['inputTokens', 'outputTokens', 'costUsd', 'costPerCallUsd', 'unpriced'],
];

function cells({ calls, errors, durationMs, firstChunkMs, inputTokens, outputTokens, cost, costPerCall, unpriced }: CallSums): Row {
  return [
    calls,
    errors,
    durationMs.p50,
    durationMs.p95,
    firstChunkMs.p50,
    firstChunkMs.p95,
    inputTokens,
    outputTokens,
    cost,
    costPerCall,
    unpriced,
  ];
}

/** Formats one table of the results of a prompt. */
export function formatPromptResults(results: PromptResults, table: Required<ResultsQuery>['by']): string {
  const formatTime = createTimeFormat(results);
  const tables: Record<typeof table, () => Row[]> = {
    version: () => [['version', ...columns], ...results.versions.map(({ version, ...sums }) => [version, ...cells(sums)])],
    time: () => [['time', ...columns], ...results.series.map(({ time, ...sums }) => [formatTime(time), ...cells(sums)])],
    model: () => [['model', ...columns], ...results.models.map(({ model, ...sums }) => [model, ...cells(sums)])],
    score: () => [
      ['version', 'score', 'kind', 'category', 'count', 'mean', 'low', 'high'],
      ...results.versions.flatMap(({ version, scores }) =>
        scores.flatMap(({ name, kind, count, mean, low, high, categories }): Row[] =>
          kind === 'category'
            ? categories.map((category): Row => [version, name, kind, category.value, category.count, null, null, null])
            : [[version, name, kind, null, count, mean, low, high]],
        ),
      ),
    ],
  };
  return formatCsv(tables[table]());
}

/** Formats one table of the results of a workspace. */
export function formatWorkspaceResults(results: WorkspaceResults, table: Required<WorkspaceResultsQuery>['by']): string {
  const formatTime = createTimeFormat(results);
  const tables: Record<typeof table, () => Row[]> = {
    prompt: () => [
      ['prompt', 'promptId', ...columns],
      ...results.prompts.map(({ name, promptId, ...sums }) => [name, promptId, ...cells(sums)]),
    ],
    model: () => [['model', ...columns], ...results.models.map(({ model, ...sums }) => [model, ...cells(sums)])],
    time: () => [['time', ...columns], ...results.series.map(({ time, ...sums }) => [formatTime(time), ...cells(sums)])],
  };
  return formatCsv(tables[table]());
}
