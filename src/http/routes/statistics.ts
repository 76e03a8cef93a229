import { Statistics, StatisticsQuery } from '../../contract/statistics.ts';
import { getStatistics } from '../../domain/statistics/statistics.ts';
import { actorOf } from '../middleware/authentication.ts';
import type { Routes } from './route.ts';

export const statisticsRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Statistics' });

  route('GET', '/api/stats', {
    operationId: 'getStatistics',
    summary: 'Get usage statistics',
    description: 'Counts calls that are made with an API key, within about a second. Calls from browser sessions are not counted.',
    querystring: StatisticsQuery,
    response: { 200: Statistics },
    errors: [429],
    handler: (req) => getStatistics(ctx, actorOf(req), req.query),
  });
};
