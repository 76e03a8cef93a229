import { RunStatistics, RunStatisticsQuery } from '../../contract/run-statistics.ts';
import { Statistics, StatisticsQuery } from '../../contract/statistics.ts';
import { getRunStatistics } from '../../domain/statistics/run-statistics.ts';
import { getStatistics } from '../../domain/statistics/statistics.ts';
import { formatRunStatistics, formatStatistics } from '../../domain/statistics/statistics-csv.ts';
import { actorOf } from '../middleware/authentication.ts';
import { sendCsv } from '../responses/csv-response.ts';
import { formatOf } from '../responses/requested-format.ts';
import type { Routes } from './route.ts';

export const statisticsRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Statistics' });

  route('GET', '/api/stats', {
    operationId: 'getStatistics',
    summary: 'Get usage statistics',
    description:
      'Counts the calls that are made with API keys. A call appears within about a second. Calls from browser sessions are not counted.',
    querystring: StatisticsQuery,
    response: { 200: Statistics },
    errors: [429],
    handler: async (req, reply) => {
      const { by = 'time' } = req.query;
      const statistics = await getStatistics(ctx, actorOf(req), req.query);
      return formatOf(req, ['csv']) === 'csv' ? sendCsv(reply, `calls-by-${by}.csv`, formatStatistics(statistics, by)) : statistics;
    },
  });

  route('GET', '/api/stats/runs', {
    operationId: 'getRunStatistics',
    summary: 'Get statistics of model runs',
    description:
      'Counts the requests to models that runs and check runs make, with their tokens, cost and duration. Requests made with a key and ' +
      'from browser sessions are counted. They appear within about a second.',
    querystring: RunStatisticsQuery,
    response: { 200: RunStatistics },
    errors: [429],
    handler: async (req, reply) => {
      const { by = 'time' } = req.query;
      const statistics = await getRunStatistics(ctx, actorOf(req), req.query);
      return formatOf(req, ['csv']) === 'csv' ? sendCsv(reply, `runs-by-${by}.csv`, formatRunStatistics(statistics, by)) : statistics;
    },
  });
};
