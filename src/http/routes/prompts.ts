import { CreatedPrompt, NewPrompt, Prompt, PromptChange, PromptList, PromptListQuery, RestoreRequest } from '../../contract/prompts.ts';
import { CallerChoice, Version } from '../../contract/versions.ts';
import { StrictQuery } from '../../contract/warnings.ts';
import { listPrompts } from '../../domain/prompts/list-prompts.ts';
import { changePrompt, createPrompt, deletePrompt, restorePrompt } from '../../domain/prompts/prompts.ts';
import { getVersion } from '../../domain/prompts/versions/versions.ts';
import { actorOf } from '../middleware/authentication.ts';
import { toCaller } from '../responses/caller.ts';
import { setWarning, warningHeaderText } from '../responses/warning-header.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

export const promptRoutes: Routes = ({ ctx, responseCache, createRoute }) => {
  const route = createRoute({ tag: 'Prompts' });

  route('GET', '/api/prompts', {
    operationId: 'listPrompts',
    summary: 'List prompts',
    description:
      'With `include=content`, an application can load all its prompts in one call. If the list is sorted by name, paging is complete even during ' +
      'concurrent writes. With `sort=-updatedAt`, a prompt that changes during paging moves to the front. If a label has a release, `key` and ' +
      'parameters such as `ctx.plan=internal` decide which `version` a prompt has.',
    isCached: true,
    querystring: PromptListQuery,
    response: { 200: PromptList },
    handler: async (req, reply) => {
      const caller = toCaller(req.query);
      const page = await listPrompts(ctx, actorOf(req), req.query, caller);
      // A list with call counts is never cached, because calls are counted without a write to the prompts.
      if (req.query.include === 'usage') return reply.send(page);
      // A list for one caller is not kept, because it would displace responses that all callers share.
      const isKept = caller.key === undefined && Object.keys(caller.context ?? {}).length === 0;
      return responseCache.send(req, reply, page, { isKept });
    },
  });

  route('POST', '/api/prompts', {
    operationId: 'createPrompt',
    summary: 'Create a prompt',
    description: 'The first version gets the label `production` unless you send `labels`.',
    querystring: StrictQuery,
    body: NewPrompt,
    response: { 201: CreatedPrompt },
    errors: [409, 422],
    handler: (req) => createPrompt(ctx, actorOf(req), req.body, { isStrict: req.query.strict === 'true' }),
  });

  route('GET', '/api/prompts/:name', {
    operationId: 'getPrompt',
    summary: 'Get a prompt by label or version',
    description:
      'If the label has a release, `key` and the context decide which version the response has: the same key always gets the same version. ' +
      'A context is sent as parameters such as `ctx.plan=internal`. Without a key, the response has the control of the release.',
    isCached: true,
    querystring: CallerChoice,
    response: { 200: Version },
    handler: async (req, reply) => {
      const { label, version: number, ...parameters } = req.query;
      const caller = toCaller(parameters);
      const { version, served, split } = await getVersion(ctx, actorOf(req), req.params.name, { label, version: number }, caller);
      return responseCache.send(req, reply, version, { servedPrompt: served, split });
    },
  });

  route('PATCH', '/api/prompts/:name', {
    operationId: 'changePrompt',
    summary: 'Change the name, description or tags of a prompt',
    body: PromptChange,
    response: { 200: Prompt },
    errors: [409],
    handler: (req) => changePrompt(ctx, actorOf(req), req.params.name, req.body),
  });

  route('DELETE', '/api/prompts/:name', {
    operationId: 'deletePrompt',
    summary: 'Move a prompt to the bin',
    description: `The prompt stays in the bin for 30 days. Prompts that include it can no longer be rendered. ${warningHeaderText}`,
    querystring: StrictQuery,
    response: noContent,
    errors: [409],
    handler: async (req, reply) => {
      setWarning(reply, await deletePrompt(ctx, actorOf(req), req.params.name, { isStrict: req.query.strict === 'true' }));
    },
  });

  route('POST', '/api/prompts/:name/restore', {
    operationId: 'restorePrompt',
    summary: 'Restore a prompt from the bin',
    body: RestoreRequest,
    response: { 200: Prompt },
    errors: [409],
    handler: (req) => restorePrompt(ctx, actorOf(req), req.params.name, req.body),
  });
};
