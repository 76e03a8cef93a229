import { Overview, OverviewQuery } from '../../contract/overview.ts';
import { getOverview } from '../../domain/prompts/overview.ts';
import { actorOf } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

export const overviewRoutes: Routes = (app, { ctx, authentication, responseCache }) => {
  app.get(
    '/api/overview',
    {
      onRequest: [authentication, responseCache.serve],
      schema: {
        tags: ['Prompts'],
        security: [{ key: [] }],
        operationId: 'getOverview',
        summary: 'Count prompts and list the tags and labels in use',
        querystring: OverviewQuery,
        response: { 200: Overview, ...errorResponses(400, '401 key', 503) },
      },
    },
    async (req, reply) => responseCache.send(req, reply, await getOverview(ctx, actorOf(req), req.query)),
  );
};
