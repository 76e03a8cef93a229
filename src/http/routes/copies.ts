import { CopiedPrompt, CopyRequest } from '../../contract/copies.ts';
import { PromptPath } from '../../contract/prompts.ts';
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
      'Copies the versions with their numbers, dates and authors, the labels, tags, description, test cases and history. Authors who are not ' +
      'members of the other workspace keep only their names. Protected and gated labels of the other workspace that you may not set are left ' +
      'out, with a warning. Runs, check runs and statistics are not copied. With `move`, the prompt goes to the bin of its workspace in the ' +
      'same step. In the same workspace, this makes a duplicate with its history.',
    params: PromptPath,
    querystring: StrictQuery,
    body: CopyRequest,
    response: { 201: CopiedPrompt },
    errors: [409],
    handler: (req) =>
      copyPrompt(ctx, actorOf(req), req.params.name, { ...req.body, isStrict: req.query.strict === 'true', client: clientOf(req) }),
  });
};
