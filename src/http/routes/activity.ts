import { Activity } from '../../contract/activity.ts';
import { PageQuery } from '../../contract/lists.ts';
import { listActivity } from '../../domain/accounts/activity.ts';
import { actorOf } from '../middleware/authentication.ts';
import type { Routes } from './route.ts';

export const activityRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Statistics' });

  route('GET', '/api/account/activity', {
    operationId: 'listActivity',
    summary: 'List account activity',
    description:
      'Lists sign-ins, key resets, password changes, and changes to the members and settings of the workspace, newest first. Events are kept for 400 days, or for the time set with ACTIVITY_RETENTION, up to 10,000 of each type.',
    querystring: PageQuery,
    response: { 200: Activity },
    errors: [403],
    handler: (req) => listActivity(ctx, actorOf(req), req.query),
  });
};
