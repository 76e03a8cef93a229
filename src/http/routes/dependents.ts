import { DependentList } from '../../contract/dependents.ts';
import { PageQuery } from '../../contract/lists.ts';
import { PromptPath } from '../../contract/prompts.ts';
import { listDependents } from '../../domain/prompts/includes/dependents.ts';
import { actorOf } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

export const dependentRoutes: Routes = (app, { ctx, authentication }) => {
  app.get(
    '/api/prompts/:name/dependents',
    {
      // Not cached: the number of calls changes without a write to the prompts.
      onRequest: authentication,
      schema: {
        tags: ['Prompts'],
        security: [{ key: [] }],
        operationId: 'listDependents',
        summary: 'List the prompts that include this one',
        description:
          'Covers the versions that a label or `latest` points at. After the prompts that include it themselves come those that include ' +
          'it through others, up to 500. A page may be shorter than `limit` although there are more: continue until `nextCursor` is null.',
        params: PromptPath,
        querystring: PageQuery,
        response: { 200: DependentList, ...errorResponses(400, '401 key', 404, 503) },
      },
    },
    (req) => listDependents(ctx, actorOf(req), req.params.name, req.query),
  );
};
