import { Statistics, StatisticsQuery } from '../../contract/statistics.ts';
import { getStatistics } from '../../domain/statistics/statistics.ts';
import { actorOf } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

export const statisticsRoutes: Routes = (app, { ctx, authentication }) => {
  const tags = ['Statistics'];
  const security = [{ key: [] }];

  app.get(
    '/api/stats',
    {
      onRequest: authentication,
      schema: {
        operationId: 'getStatistics',
        tags,
        summary: 'What was called with the key',
        description: 'Calls are counted within a second or so of their answer. Calls by a browser session do not count.',
        security,
        querystring: StatisticsQuery,
        response: { 200: Statistics, ...errorResponses(400, '401 key', 503) },
      },
    },
    (req) => getStatistics(ctx, actorOf(req), req.query),
  );
};
