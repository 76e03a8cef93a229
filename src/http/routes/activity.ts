import { Activity } from '../../contract/activity.ts';
import { PageQuery } from '../../contract/lists.ts';
import { listActivity } from '../../domain/accounts/activity.ts';
import { actorOf } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

export const activityRoutes: Routes = (app, { ctx, authentication }) => {
  app.get(
    '/api/account/activity',
    {
      onRequest: authentication,
      schema: {
        operationId: 'listActivity',
        tags: ['Statistics'],
        summary: 'List account activity: sign-ins, key resets, password changes, changes to the members of the workspace',
        description: 'Newest first. Events are kept for 400 days, up to 10,000.',
        security: [{ key: [] }],
        querystring: PageQuery,
        response: { 200: Activity, ...errorResponses(400, '401 key', 403, 503) },
      },
    },
    (req) => listActivity(ctx, actorOf(req), req.query),
  );
};
