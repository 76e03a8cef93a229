import { PromptPath } from '../../contract/prompt.ts';
import { Preview, PreviewRequest, RenderedPrompt, RenderRequest } from '../../contract/render.ts';
import { previewPrompt, renderVersion } from '../../domain/rendering.ts';
import { getVersion } from '../../domain/versions.ts';
import { actorOf } from '../auth.ts';
import { failures, type Routes } from './route.ts';

/** Reading, though by POST: nothing is changed, and a browser session may do it from our own pages only all the same. */
export const renderingRoutes: Routes = (app, { ctx, authentication }) => {
  const common = { tags: ['Rendering'], security: [{ key: [] }] };

  app.post(
    '/api/prompts/:name/render',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'renderPrompt',
        summary: 'Fill a prompt with variables',
        params: PromptPath,
        body: RenderRequest,
        response: { 200: RenderedPrompt, ...failures(400, '401 key', 404, 422, 503) },
      },
    },
    async (req) => {
      const { variables = {}, ...choice } = req.body;
      const accountId = actorOf(req).account.id;
      const chosen = await getVersion(ctx, accountId, req.params.name, choice);
      // Before it is filled: what cannot be rendered counts among the prompt's errors.
      req.served = { promptId: chosen.prompt.id, version: chosen.version.version, label: chosen.label };
      return renderVersion(ctx, accountId, chosen, variables);
    },
  );

  app.post(
    '/api/render',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'previewPrompt',
        summary: 'Fill a template that is not saved',
        body: PreviewRequest,
        response: { 200: Preview, ...failures(400, '401 key', 422, 503) },
      },
    },
    async (req) => previewPrompt(ctx, actorOf(req).account.id, req.body),
  );
};
