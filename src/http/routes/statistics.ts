import { Statistics, StatisticsQuery } from '../../contract/statistics.ts';
import { getStatistics } from '../../domain/statistics/statistics.ts';
import { actorOf } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

export const statisticsRoutes: Routes = (app, { ctx, authentication }) => {
  app.get(
    '/api/stats',
    {
      onRequest: authentication,
      schema: {
        operationId: 'getStatistics',
        tags: ['Statistics'],
        summary: 'Get usage statistics',
        description: 'Covers calls made with the key, counted within about a second. Calls from a browser session are not counted.',
        security: [{ key: [] }],
        querystring: StatisticsQuery,
        response: { 200: Statistics, ...errorResponses(400, '401 key', 404, 429, 503) },
      },
    },
    (req) => getStatistics(ctx, actorOf(req), req.query),
  );
};
