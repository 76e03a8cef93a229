import { Diff, DiffQuery, History } from '../../contract/history.ts';
import { PageQuery } from '../../contract/lists.ts';
import { PromptPath } from '../../contract/prompts.ts';
import { listHistory } from '../../domain/prompts/history.ts';
import { diffVersions } from '../../domain/prompts/versions/diff.ts';
import { actorOf } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

/** The changes of a prompt, and the differences between its versions. */
export const historyRoutes: Routes = (app, { ctx, authentication, responseCache }) => {
  const common = { tags: ['Versions and labels'], security: [{ key: [] }] };

  app.get(
    '/api/prompts/:name/history',
    {
      onRequest: [authentication, responseCache.serve],
      schema: {
        ...common,
        operationId: 'listHistory',
        summary: 'List changes, newest first',
        description: 'A workspace keeps 1,000,000 entries, and of more than that an equal share of each prompt.',
        params: PromptPath,
        querystring: PageQuery,
        response: { 200: History, ...errorResponses(400, '401 key', 404, 503) },
      },
    },
    async (req, reply) => responseCache.send(req, reply, await listHistory(ctx, actorOf(req), req.params.name, req.query)),
  );

  app.get(
    '/api/prompts/:name/diff',
    {
      onRequest: [authentication, responseCache.serve],
      schema: {
        ...common,
        operationId: 'diffVersions',
        summary: 'Compare two versions',
        params: PromptPath,
        querystring: DiffQuery,
        response: { 200: Diff, ...errorResponses(400, '401 key', 404, 422, 503) },
      },
    },
    async (req, reply) => responseCache.send(req, reply, await diffVersions(ctx, actorOf(req), req.params.name, req.query)),
  );
};
