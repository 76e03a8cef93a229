import { Type } from 'typebox';
import {
  CreatedPrompt,
  NewPrompt,
  Prompt,
  PromptChange,
  PromptList,
  PromptListQuery,
  PromptPath,
  RestoreRequest,
} from '../../contract/prompts.ts';
import { Version, VersionChoice } from '../../contract/versions.ts';
import { changePrompt, createPrompt, deletePrompt, listPrompts, restorePrompt } from '../../domain/prompts/prompts.ts';
import { getVersion } from '../../domain/prompts/versions/versions.ts';
import { actorOf } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

export const promptRoutes: Routes = (app, { ctx, authentication, responseCache }) => {
  const common = { tags: ['Prompts'], security: [{ key: [] }] };

  app.get(
    '/api/prompts',
    {
      onRequest: [authentication, responseCache.serve],
      schema: {
        ...common,
        operationId: 'listPrompts',
        summary: 'List prompts',
        description:
          'With `include=content`, returns all prompts that an application needs in one call. Paging by name is complete even under ' +
          'concurrent writes; with `sort=-updatedAt`, a prompt that changes during paging moves to the front.',
        querystring: PromptListQuery,
        response: { 200: PromptList, ...errorResponses(400, '401 key', 503) },
      },
    },
    async (req, reply) => {
      const page = await listPrompts(ctx, actorOf(req), req.query);
      // Calls are counted without a write to the prompts, so a list with them is never cached.
      return req.query.include === 'usage' ? page : responseCache.send(req, reply, page);
    },
  );

  app.post(
    '/api/prompts',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'createPrompt',
        summary: 'Create a prompt',
        description: 'The first version gets the label `production` unless `labels` says otherwise.',
        body: NewPrompt,
        response: { 201: CreatedPrompt, ...errorResponses(400, '401 key', 403, 409, 422, 503) },
      },
    },
    async (req, reply) => reply.status(201).send(await createPrompt(ctx, actorOf(req), req.body)),
  );

  app.get(
    '/api/prompts/:name',
    {
      onRequest: [authentication, responseCache.serve],
      schema: {
        ...common,
        operationId: 'getPrompt',
        summary: 'Get a prompt by label or version',
        params: PromptPath,
        querystring: VersionChoice,
        response: { 200: Version, ...errorResponses(400, '401 key', 404, 503) },
      },
    },
    async (req, reply) => {
      const { version, promptId, label } = await getVersion(ctx, actorOf(req), req.params.name, req.query);
      return responseCache.send(req, reply, version, { promptId, version: version.version, label });
    },
  );

  app.patch(
    '/api/prompts/:name',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'changePrompt',
        summary: 'Change the name, description or tags of a prompt',
        params: PromptPath,
        body: PromptChange,
        response: { 200: Prompt, ...errorResponses(400, '401 key', 403, 404, 409, 503) },
      },
    },
    async (req) => changePrompt(ctx, actorOf(req), req.params.name, req.body),
  );

  app.delete(
    '/api/prompts/:name',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'deletePrompt',
        summary: 'Move a prompt to the bin, where it stays for 30 days',
        params: PromptPath,
        response: { 204: Type.Null(), ...errorResponses('401 key', 403, 404, 503) },
      },
    },
    async (req, reply) => {
      await deletePrompt(ctx, actorOf(req), req.params.name);
      return reply.status(204).send();
    },
  );

  app.post(
    '/api/prompts/:name/restore',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'restorePrompt',
        summary: 'Restore a prompt from the bin',
        params: PromptPath,
        body: RestoreRequest,
        response: { 200: Prompt, ...errorResponses(400, '401 key', 403, 404, 409, 503) },
      },
    },
    async (req) => restorePrompt(ctx, actorOf(req), req.params.name, req.body),
  );
};
