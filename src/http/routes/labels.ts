import { Type } from 'typebox';
import { Label, LabelTarget } from '../../contract/labels.ts';
import { PromptPath } from '../../contract/prompts.ts';
import { Version } from '../../contract/versions.ts';
import { moveLabel, removeLabel } from '../../domain/prompts/labels/labels.ts';
import { actorOf } from '../steps/authentication.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

const LabelPath = Type.Object({ ...PromptPath.properties, label: Label });

/** The labels of a prompt. Moving one to another version deploys that version or rolls back to it. */
export const labelRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Versions and labels' });

  route('PUT', '/api/prompts/:name/labels/:label', {
    operationId: 'moveLabel',
    summary: 'Point a label at a version: deploy or roll back',
    description:
      'A gated label (see the settings of the workspace) moves only to a version that has passed all current cases of the prompt: ' +
      'otherwise the response is 409 `checks_required`. A prompt without cases has nothing to pass.',
    params: LabelPath,
    body: LabelTarget,
    response: { 200: Version },
    errors: [409],
    handler: (req) => moveLabel(ctx, actorOf(req), { ...req.params, ...req.body }),
  });

  route('DELETE', '/api/prompts/:name/labels/:label', {
    operationId: 'removeLabel',
    summary: 'Remove a label',
    params: LabelPath,
    response: noContent,
    errors: [400],
    handler: (req) => removeLabel(ctx, actorOf(req), req.params),
  });
};
