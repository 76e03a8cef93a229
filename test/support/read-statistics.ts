import type { CallRows, createStatisticsStore, PromptRow } from '../../src/store/statistics/statistics.ts';

type StatisticsStore = ReturnType<typeof createStatisticsStore>;

/** All parts that the statistics of an account are read in. */
export async function readStatistics(store: StatisticsStore, query: Parameters<StatisticsStore['read']>[0]) {
  return store.read(query, async (reader) => {
    const all: CallRows & { prompts: PromptRow[] } = { series: [], routes: [], prompts: [] };
    for await (const { series, routes } of reader.calls()) {
      all.series.push(...series);
      all.routes.push(...routes);
    }
    for await (const rows of reader.prompts()) all.prompts.push(...rows);
    return all;
  });
}
