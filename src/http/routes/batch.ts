import { Batch, SavedBatch } from '../../contract/batch.ts';
import { savePrompts } from '../../domain/prompts/batch.ts';
import { actorOf } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

export const batchRoutes: Routes = (app, { ctx, authentication }) => {
  app.post(
    '/api/prompts/batch',
    {
      onRequest: authentication,
      schema: {
        tags: ['Prompts'],
        security: [{ key: [] }],
        operationId: 'savePrompts',
        summary: 'Create prompts and save versions, all or none',
        description:
          'Saves up to 50 prompts in one transaction. If one of them cannot be saved, none is, and the error names its index, such as ' +
          '`/items/3`. Each item is saved as a single one would be: the first version of a new prompt gets the label `production` unless ' +
          '`labels` says otherwise.',
        body: Batch,
        response: { 200: SavedBatch, ...errorResponses(400, '401 key', 403, 404, 409, 422, 503) },
      },
    },
    async (req) => savePrompts(ctx, actorOf(req), req.body),
  );
};
