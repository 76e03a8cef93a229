import { Type } from 'typebox';
import { Label, LabelTarget } from '../../contract/labels.ts';
import { PromptPath } from '../../contract/prompts.ts';
import { Version } from '../../contract/versions.ts';
import { moveLabel, removeLabel } from '../../domain/prompts/labels/labels.ts';
import { actorOf } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

const LabelPath = Type.Object({ ...PromptPath.properties, label: Label });

/** The labels of a prompt. Moving one to another version deploys that version or rolls back to it. */
export const labelRoutes: Routes = (app, { ctx, authentication }) => {
  const common = { tags: ['Versions and labels'], security: [{ key: [] }] };

  app.put(
    '/api/prompts/:name/labels/:label',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'moveLabel',
        summary: 'Point a label at a version: deploy or roll back',
        description:
          'A gated label (see the settings of the workspace) moves only to a version that has passed all current cases of the prompt: ' +
          'otherwise the response is 409 `checks_required`. A prompt without cases has nothing to pass.',
        params: LabelPath,
        body: LabelTarget,
        response: { 200: Version, ...errorResponses(400, '401 key', 403, 404, 409, 503) },
      },
    },
    async (req) => moveLabel(ctx, actorOf(req), { ...req.params, ...req.body }),
  );

  app.delete(
    '/api/prompts/:name/labels/:label',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'removeLabel',
        summary: 'Remove a label',
        params: LabelPath,
        response: { 204: Type.Null(), ...errorResponses(400, '401 key', 403, 404, 503) },
      },
    },
    async (req, reply) => {
      await removeLabel(ctx, actorOf(req), req.params);
      return reply.status(204).send();
    },
  );
};
