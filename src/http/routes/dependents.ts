import { DependentList, JudgedPrompts } from '../../contract/dependents.ts';
import { PageQuery } from '../../contract/lists.ts';
import { listJudged } from '../../domain/cases/cases.ts';
import { listDependents } from '../../domain/prompts/includes/dependents.ts';
import { actorOf } from '../middleware/authentication.ts';
import type { Routes } from './route.ts';

export const dependentRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Prompts' });

  route('GET', '/api/prompts/:name/dependents', {
    operationId: 'listDependents',
    summary: 'List the prompts that include this one',
    description:
      'Considers the versions that a label or `latest` points at. Prompts that include this one directly come first, followed by up to ' +
      '500 prompts that include it through another prompt. A page can be shorter than `limit` even if more prompts follow. Continue ' +
      'until `nextCursor` is null.',
    querystring: PageQuery,
    response: { 200: DependentList },
    // The response is not cached, because the number of calls changes without a write to the prompts.
    handler: (req) => listDependents(ctx, actorOf(req), req.params.name, req.query),
  });

  route('GET', '/api/prompts/:name/judged', {
    operationId: 'listJudged',
    summary: 'List the prompts whose test cases use this one as a judge',
    description: 'Lists up to 100 prompts, sorted by name. If you delete this prompt, their checks fail.',
    response: { 200: JudgedPrompts },
    handler: async (req) => ({ data: await listJudged(ctx, actorOf(req), req.params.name) }),
  });
};
