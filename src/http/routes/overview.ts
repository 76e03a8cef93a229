import { Overview, OverviewQuery } from '../../contract/overview.ts';
import { getOverview } from '../../domain/prompts/overview.ts';
import { actorOf } from '../middleware/authentication.ts';
import type { Routes } from './route.ts';

export const overviewRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Prompts' });

  route('GET', '/api/overview', {
    operationId: 'getOverview',
    summary: 'Count prompts and list the tags and labels in use',
    isCached: true,
    querystring: OverviewQuery,
    response: { 200: Overview },
    handler: (req) => getOverview(ctx, actorOf(req), req.query),
  });
};
