import { PromptPath } from '../../contract/prompts.ts';
import { Preview, PreviewRequest, RenderedPrompt, RenderRequest } from '../../contract/render.ts';
import { previewPrompt, renderVersion } from '../../domain/prompts/render.ts';
import { getVersion } from '../../domain/prompts/versions.ts';
import { actorOf } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

/** Reading, though by POST: nothing is changed, and a browser session may do it from our own pages only all the same. */
export const renderRoutes: Routes = (app, { ctx, authentication }) => {
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
        response: { 200: RenderedPrompt, ...errorResponses(400, '401 key', 404, 422, 503) },
      },
    },
    async (req) => {
      const { variables = {}, ...choice } = req.body;
      const actor = actorOf(req);
      const chosen = await getVersion(ctx, actor, req.params.name, choice);
      // Before it is filled: what cannot be rendered counts among the prompt's errors.
      req.servedPrompt = { promptId: chosen.prompt.id, version: chosen.version.version, label: chosen.label };
      return renderVersion(ctx, actor, chosen, variables);
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
        response: { 200: Preview, ...errorResponses(400, '401 key', 422, 503) },
      },
    },
    async (req) => previewPrompt(ctx, actorOf(req), req.body),
  );
};
