import { PromptPath } from '../../contract/prompts.ts';
import { Preview, PreviewRequest, RenderedPrompt, RenderRequest } from '../../contract/render.ts';
import { previewPrompt, renderVersion } from '../../domain/prompts/render/render.ts';
import { renderErrorsOf } from '../../domain/statistics/render-errors.ts';
import { actorOf } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

/** Rendering changes nothing; it is a POST because the variables are sent in the body. */
export const renderRoutes: Routes = (app, { ctx, authentication }) => {
  const common = { tags: ['Rendering'], security: [{ key: [] }] };

  app.post(
    '/api/prompts/:name/render',
    {
      config: { queued: 'large' },
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'renderPrompt',
        summary: 'Render a prompt with variables',
        params: PromptPath,
        body: RenderRequest,
        response: { 200: RenderedPrompt, ...errorResponses(400, '401 key', 404, 422, 503) },
      },
    },
    async (req, reply) => {
      const { variables = {}, ...choice } = req.body;
      const actor = actorOf(req);
      const renderable = await ctx.renderables.get(ctx, actor, req.params.name, choice);
      // Set before rendering, so that a failure counts among the prompt's errors.
      const served = { promptId: renderable.promptId, version: renderable.version, label: renderable.label };
      req.servedPrompt = served;
      const json = await renderVersion(ctx, actor, renderable, variables).catch((err: unknown) => {
        req.servedPrompt = { ...served, renderErrors: renderErrorsOf(err) };
        throw err;
      });
      return reply.type('application/json; charset=utf-8').send(json);
    },
  );

  app.post(
    '/api/render',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'previewPrompt',
        summary: 'Render a template without saving it',
        body: PreviewRequest,
        response: { 200: Preview, ...errorResponses(400, '401 key', 422, 503) },
      },
    },
    async (req) => previewPrompt(ctx, actorOf(req), req.body),
  );
};
