import { PromptList } from '../../contract/prompt.ts';
import { actorOf } from '../auth.ts';
import { failures, type Routes } from './route.ts';

export const promptRoutes: Routes = (app, { ctx, authentication }) => {
  app.get(
    '/api/prompts',
    {
      onRequest: authentication,
      schema: {
        operationId: 'listPrompts',
        tags: ['Prompts'],
        summary: 'List prompts',
        security: [{ key: [] }],
        response: { 200: PromptList, ...failures('401 key', 503) },
      },
    },
    async (req) => ({ data: await ctx.store.prompts.list(actorOf(req).account.id, 50), nextCursor: null }),
  );
};
