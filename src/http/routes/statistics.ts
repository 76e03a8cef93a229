import { Activity, ActivityQuery } from '../../contract/activity.ts';
import { Statistics, StatisticsQuery } from '../../contract/statistics.ts';
import { listActivity } from '../../domain/activity.ts';
import { getStatistics } from '../../domain/statistics.ts';
import { actorOf } from '../auth.ts';
import { failures, type Routes } from './route.ts';

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
        response: { 200: Statistics, ...failures(400, '401 key', 503) },
      },
    },
    (req) => getStatistics(ctx, actorOf(req).account.id, req.query),
  );

  app.get(
    '/api/account/activity',
    {
      onRequest: authentication,
      schema: {
        operationId: 'listActivity',
        tags,
        summary: 'What happened to the account: sign-ins, failed ones, key resets, password changes',
        description: 'The newest first; kept for 400 days.',
        security,
        querystring: ActivityQuery,
        response: { 200: Activity, ...failures(400, '401 key', 503) },
      },
    },
    (req) => listActivity(ctx, actorOf(req).account.id, req.query),
  );
};
