import { Batch, SavedBatch } from '../../contract/batch.ts';
import { StrictQuery } from '../../contract/warnings.ts';
import { savePrompts } from '../../domain/prompts/batch.ts';
import { actorOf } from '../middleware/authentication.ts';
import type { Routes } from './route.ts';

export const batchRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Prompts' });

  route('POST', '/api/prompts/batch', {
    operationId: 'savePrompts',
    summary: 'Create prompts and save versions in one transaction',
    description:
      'Saves up to 50 prompts. If one prompt cannot be saved, none is saved, and the error contains the index of that prompt, such as ' +
      '`/items/3`. Each item has the same effect as a separate request. The first version of a new prompt gets the label `production` ' +
      'unless you send `labels`.',
    querystring: StrictQuery,
    body: Batch,
    response: { 200: SavedBatch },
    errors: [409, 422],
    handler: (req) => savePrompts(ctx, actorOf(req), req.body, { isStrict: req.query.strict === 'true' }),
  });
};
