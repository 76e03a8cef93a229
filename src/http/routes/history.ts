import { Diff, DiffQuery, History } from '../../contract/history.ts';
import { PageQuery } from '../../contract/lists.ts';
import { listHistory } from '../../domain/prompts/history.ts';
import { diffVersions } from '../../domain/prompts/versions/diff.ts';
import { actorOf } from '../middleware/authentication.ts';
import type { Routes } from './route.ts';

/** The changes to a prompt, and the differences between its versions and candidates. */
export const historyRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Versions and labels' });

  route('GET', '/api/prompts/:name/history', {
    operationId: 'listHistory',
    summary: 'List the changes to a prompt, newest first',
    description:
      'A workspace keeps up to 1,000,000 entries. Beyond this limit, the service deletes old entries, and each prompt keeps an equal ' +
      'share.',
    isCached: true,
    querystring: PageQuery,
    response: { 200: History },
    handler: (req) => listHistory(ctx, actorOf(req), req.params.name, req.query),
  });

  route('GET', '/api/prompts/:name/diff', {
    operationId: 'diffVersions',
    summary: 'Compare two versions, labels or candidates',
    isCached: true,
    querystring: DiffQuery,
    response: { 200: Diff },
    errors: [422],
    handler: (req) => diffVersions(ctx, actorOf(req), req.params.name, req.query),
  });
};
