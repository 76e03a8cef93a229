import { LabelTarget } from '../../contract/labels.ts';
import { SavedVersion } from '../../contract/versions.ts';
import { StrictQuery } from '../../contract/warnings.ts';
import { moveLabel, removeLabel } from '../../domain/prompts/labels/labels.ts';
import { actorOf } from '../middleware/authentication.ts';
import { setWarning, warningHeaderText } from '../responses/warning-header.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

/** The labels of a prompt. Moving a label to another version deploys that version or rolls back to it. */
export const labelRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Versions and labels' });

  route('PUT', '/api/prompts/:name/labels/:label', {
    operationId: 'moveLabel',
    summary: 'Move a label to a version (deploy or roll back)',
    description:
      'A gated label (see the workspace settings) moves only to a version that has passed all current test cases of the prompt. ' +
      'Otherwise the response is 409 `checks_required`. Passing checks are not needed if the prompt has no test cases, or if the label ' +
      'moves back to a version that it reached before without an override. Admins can also move it back to a version that it reached ' +
      'with an override. `warnings` lists the problems at the label after the move: missing includes, empty messages, and variables that ' +
      'callers do not send.',
    querystring: StrictQuery,
    body: LabelTarget,
    response: { 200: SavedVersion },
    errors: [409],
    handler: (req) => moveLabel(ctx, actorOf(req), { ...req.params, ...req.body, isStrict: req.query.strict === 'true' }),
  });

  route('DELETE', '/api/prompts/:name/labels/:label', {
    operationId: 'removeLabel',
    summary: 'Remove a label',
    description: `If another prompt includes this one at the label, that prompt can no longer be rendered. ${warningHeaderText}`,
    querystring: StrictQuery,
    response: noContent,
    errors: [409],
    handler: async (req, reply) => {
      setWarning(reply, await removeLabel(ctx, actorOf(req), { ...req.params, isStrict: req.query.strict === 'true' }));
    },
  });
};
