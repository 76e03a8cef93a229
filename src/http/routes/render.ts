import { Preview, PreviewRequest, RenderedPrompt, RenderRequest } from '../../contract/render.ts';
import { previewPrompt, renderVersion } from '../../domain/prompts/render/render.ts';
import { sealToken, toTokenRelease } from '../../domain/results/feedback.ts';
import { listSent, renderErrorsOf } from '../../domain/statistics/render-errors.ts';
import { actorOf } from '../middleware/authentication.ts';
import type { Routes } from './route.ts';

/** Rendering of prompts. A render changes nothing, but the request is a POST, because the variables are in the body. */
export const renderRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Rendering' });

  route('POST', '/api/prompts/:name/render', {
    operationId: 'renderPrompt',
    summary: 'Render a prompt with variables',
    description: 'If the label has a release, `key` and `context` decide which version is rendered.',
    options: { config: { queued: 'large' } },
    body: RenderRequest,
    response: { 200: RenderedPrompt },
    errors: [422],
    handler: async (req, reply) => {
      const { variables = {}, feedbackToken, key, context, ...choice } = req.body;
      const actor = actorOf(req);
      const renderable = await ctx.renderables.get(ctx, actor, req.params.name, choice, { key, context });
      // The served prompt is set before rendering, so that a failure counts as one of the prompt's errors.
      const { promptId, version, label, release } = renderable;
      const served = { promptId, version, label, release, key };
      req.servedPrompt = served;
      const json = await renderVersion(ctx, actor, renderable, variables).catch((err: unknown) => {
        req.servedPrompt = { ...served, renderErrors: renderErrorsOf(err) };
        throw err;
      });
      req.servedPrompt = { ...served, sent: listSent(renderable, variables) };
      const token = feedbackToken
        ? sealToken(ctx, { workspaceId: actor.workspaceId, promptId, version, label, release: toTokenRelease(label, release, key) }).token
        : undefined;
      const response = token === undefined ? json : `${json.slice(0, -1)},"feedbackToken":${JSON.stringify(token)}}`;
      return reply.type('application/json; charset=utf-8').send(response);
    },
  });

  route('POST', '/api/render', {
    operationId: 'previewPrompt',
    summary: 'Render a draft or a candidate',
    description: 'To use a candidate, an application has to call this operation, because labels point only at versions.',
    body: PreviewRequest,
    response: { 200: Preview },
    errors: [422],
    handler: (req) => previewPrompt(ctx, actorOf(req), req.body),
  });
};
