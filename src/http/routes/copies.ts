import { CopiedPrompt, CopyRequest } from '../../contract/copies.ts';
import { StrictQuery } from '../../contract/warnings.ts';
import { copyPrompt } from '../../domain/copies/copy-prompt.ts';
import { actorOf, clientOf } from '../middleware/authentication.ts';
import type { Routes } from './route.ts';

export const copyRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Prompts' });

  route('POST', '/api/prompts/:name/copy', {
    operationId: 'copyPrompt',
    summary: 'Copy or move a prompt to another workspace',
    description:
      'Copies the versions with their numbers, dates and authors, the labels, tags, description, test cases and history. Authors who are ' +
      'not members of the other workspace keep only their names. Labels that are protected or gated in the other workspace are not ' +
      'copied if you may not set them there; the response warns about them. Runs, check runs and statistics are not copied. With `move`, ' +
      'the original goes to the bin of its workspace in the same transaction. If you copy to the same workspace, the result is a ' +
      'duplicate with its history.',
    querystring: StrictQuery,
    body: CopyRequest,
    response: { 201: CopiedPrompt },
    errors: [409],
    handler: (req) =>
      copyPrompt(ctx, actorOf(req), req.params.name, { ...req.body, isStrict: req.query.strict === 'true', client: clientOf(req) }),
  });
};
