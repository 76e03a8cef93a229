import { productionLabel } from '../../contract/label-names.ts';
import {
  LangfuseChoice,
  LangfuseError,
  LangfuseHealth,
  LangfuseLabels,
  LangfuseListQuery,
  LangfuseProjects,
  LangfusePrompt,
  LangfusePromptList,
  LangfusePromptQuery,
  NewLangfusePrompt,
} from '../../contract/langfuse.ts';
import { assertLabels, moveLabels } from '../../domain/prompts/labels/labels.ts';
import { listNumberedPage } from '../../domain/prompts/numbered-pages.ts';
import { savePrompt } from '../../domain/prompts/save-prompt.ts';
import { deletePromptOrVersion } from '../../domain/prompts/versions/delete-version.ts';
import { getPortableVersion } from '../../domain/prompts/versions/portable-version.ts';
import { getWorkspace } from '../../domain/workspaces/workspace-settings.ts';
import { version as serviceVersion } from '../../version.ts';
import { actorOf } from '../middleware/authentication.ts';
import { setWarning } from '../responses/warning-header.ts';
import { noContent } from '../routes/operation.ts';
import type { Routes } from '../routes/route.ts';
import { rethrowNotFound, rethrowRefused, rethrowUnresolved } from './errors.ts';
import { langfusePromptsPath } from './paths.ts';
import { parseNewPrompt, serializeList, toLangfusePrompt } from './shapes.ts';

const promptPath = `${langfusePromptsPath}/:name` as const;

const unportable = 'This version uses Liquid beyond plain variables, which the Langfuse SDKs do not render the way PromptHarbor does';

const hasPathsText =
  'This version has paths such as {{ user.name }}, which the Langfuse SDK for JavaScript replaces but the SDK for Python leaves unchanged';

/**
 * Langfuse's prompt endpoints. With them, programs that use Langfuse's SDKs work with this service. docs/langfuse.md lists the differences.
 */
export const langfuseRoutes: Routes = ({ ctx, responseCache, createRoute }) => {
  const route = createRoute({ tag: 'Langfuse', security: [{ key: [] }, { basic: [] }], errorBody: LangfuseError });

  route('GET', langfusePromptsPath, {
    operationId: 'listLangfusePrompts',
    summary: 'List prompts',
    isCached: true,
    querystring: LangfuseListQuery,
    response: { 200: LangfusePromptList },
    handler: async (req, reply) => {
      const page = { page: req.query.page ?? 1, limit: req.query.limit ?? 10 };
      const found = await listNumberedPage(ctx, actorOf(req), { ...req.query, ...page });
      return responseCache.sendJson(req, reply, serializeList(found, page), { isKept: hasOnly(req.query, LangfuseListQuery.properties) });
    },
  });

  route('POST', langfusePromptsPath, {
    operationId: 'createLangfusePrompt',
    summary: 'Save a version, and create the prompt if it does not exist',
    description:
      'The version is saved as mustache. There is one exception: if the text equals the text of the newest version or of the version at ' +
      '`production`, and that version is written in Liquid, the new version is saved as Liquid too. The new version gets only the labels in the request. The header `x-promptharbor-warning` reports problems at these labels.',
    body: NewLangfusePrompt,
    response: { 201: LangfusePrompt },
    handler: async (req, reply) => {
      const actor = actorOf(req);
      const { prompt, version, warnings } = await savePrompt(ctx, actor, parseNewPrompt(req.body)).catch(rethrowRefused);
      setWarning(reply, warnings);
      return toLangfusePrompt(actor, prompt, version);
    },
  });

  route('GET', promptPath, {
    operationId: 'getLangfusePrompt',
    summary: 'Get a prompt by label or version',
    description:
      'The header `x-promptharbor-warning` reports Liquid that the Langfuse SDKs cannot render. The response is 409 if an included prompt ' +
      'cannot be inserted.',
    isCached: true,
    querystring: LangfusePromptQuery,
    response: { 200: LangfusePrompt },
    errors: [409],
    handler: async (req, reply) => {
      const { name } = req.params;
      const { version: number, label: wanted, resolve } = req.query;
      const choice = { ...(number !== undefined && { version: number }), ...(wanted !== undefined && { label: wanted }) };
      const { prompt, version, label, release, graph, isPortable, hasPaths } = await getPortableVersion(ctx, actorOf(req), name, {
        ...choice,
        resolve: resolve !== 'false',
      })
        .catch(rethrowNotFound(name, { version: number, label: wanted ?? productionLabel }))
        .catch(rethrowUnresolved);
      return responseCache.sendJson(req, reply, JSON.stringify(toLangfusePrompt(actorOf(req), prompt, version, graph)), {
        servedPrompt: { promptId: prompt.id, version: version.version, label, release },
        headers: toWarning({ isPortable, hasPaths }),
        isKept: hasOnly(req.query, LangfusePromptQuery.properties),
      });
    },
  });

  route('DELETE', promptPath, {
    operationId: 'deleteLangfusePrompt',
    summary: 'Delete a version or a whole prompt',
    description: 'If you send neither `version` nor `label`, or if you delete the only version, the prompt is moved to the bin.',
    querystring: LangfuseChoice,
    response: noContent,
    handler: async (req) => {
      const { name } = req.params;
      const { version, label } = req.query;
      await deletePromptOrVersion(ctx, actorOf(req), name, { version, label })
        .catch(rethrowNotFound(name, { version, label }))
        .catch(rethrowRefused);
    },
  });

  route('PATCH', `${promptPath}/versions/:version`, {
    operationId: 'labelLangfusePrompt',
    summary: 'Add labels to a version',
    description: 'The header `x-promptharbor-warning` reports problems at these labels.',
    body: LangfuseLabels,
    response: { 200: LangfusePrompt },
    handler: async (req, reply) => {
      const { name, version: number } = req.params;
      const actor = actorOf(req);
      const labels = [...new Set(req.body.newLabels)];
      assertLabels('/newLabels', labels);
      const lookUp = async () => {
        if (labels.length > 0) setWarning(reply, (await moveLabels(ctx, actor, { name, labels, version: number })).warnings);
        return getPortableVersion(ctx, actor, name, { version: number, resolve: false });
      };
      const { prompt, version } = await lookUp()
        .catch(rethrowNotFound(name, { version: number }))
        .catch(rethrowRefused);
      return toLangfusePrompt(actor, prompt, version);
    },
  });

  route('GET', '/api/public/projects', {
    operationId: 'getLangfuseProjects',
    summary: 'Get the workspace of the key as a Langfuse project',
    response: { 200: LangfuseProjects },
    handler: async (req) => {
      const actor = actorOf(req);
      const { name } = await getWorkspace(ctx, actor);
      const project = { id: actor.workspaceId, name };
      return { data: [{ ...project, organization: project, metadata: {} }] };
    },
  });

  route('GET', '/api/public/health', {
    operationId: 'getLangfuseHealth',
    summary: 'Check whether the service is running',
    access: 'public',
    security: [],
    response: { 200: LangfuseHealth },
    handler: async () => ({ status: 'OK' as const, version: serviceVersion }),
  });
};

function toWarning({ isPortable, hasPaths }: { isPortable: boolean; hasPaths: boolean }): Record<string, string> {
  const text = isPortable ? hasPaths && hasPathsText : unportable;
  return text ? { 'x-promptharbor-warning': text } : {};
}

/**
 * Returns whether a query has only known parameters. A response to any other query is not cached. Unknown parameters are ignored, so
 * callers could otherwise fill the cache with copies of the same response.
 */
function hasOnly(query: object, known: object): boolean {
  return Object.keys(query).every((name) => Object.hasOwn(known, name));
}
