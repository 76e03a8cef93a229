import { Type } from 'typebox';
import { listOf, PageQuery } from '../../contract/lists.ts';
import { PromptPath } from '../../contract/prompts.ts';
import { NewVersion, SavedVersion, Version, VersionNumber } from '../../contract/versions.ts';
import { deleteVersion } from '../../domain/prompts/versions/delete-version.ts';
import { createVersion, getVersion, listVersions } from '../../domain/prompts/versions/versions.ts';
import { actorOf } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

const VersionPath = Type.Object({ ...PromptPath.properties, version: VersionNumber });

export const versionRoutes: Routes = (app, { ctx, authentication, responseCache }) => {
  const common = { tags: ['Versions and labels'], security: [{ key: [] }] };

  app.get(
    '/api/prompts/:name/versions',
    {
      onRequest: [authentication, responseCache.serve],
      schema: {
        ...common,
        operationId: 'listVersions',
        summary: 'List versions, newest first',
        params: PromptPath,
        querystring: PageQuery,
        response: { 200: listOf('VersionList', Version), ...errorResponses(400, '401 key', 404, 503) },
      },
    },
    async (req, reply) => responseCache.send(req, reply, await listVersions(ctx, actorOf(req), req.params.name, req.query)),
  );

  app.post(
    '/api/prompts/:name/versions',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'createVersion',
        summary: 'Save a new version',
        description: 'Versions are immutable. Labels move only if `labels` lists them, or with `PUT …/labels/{label}`.',
        params: PromptPath,
        body: NewVersion,
        response: { 201: SavedVersion, ...errorResponses(400, '401 key', 403, 404, 409, 422, 503) },
      },
    },
    async (req, reply) => reply.status(201).send(await createVersion(ctx, actorOf(req), req.params.name, req.body)),
  );

  app.get(
    '/api/prompts/:name/versions/:version',
    {
      onRequest: [authentication, responseCache.serve],
      schema: {
        ...common,
        operationId: 'getVersion',
        summary: 'Get a version',
        params: VersionPath,
        response: { 200: Version, ...errorResponses(400, '401 key', 404, 503) },
      },
    },
    async (req, reply) => {
      const { name, version: number } = req.params;
      const { version, promptId, label } = await getVersion(ctx, actorOf(req), name, { version: number });
      return responseCache.send(req, reply, version, { promptId, version: version.version, label });
    },
  );

  app.delete(
    '/api/prompts/:name/versions/:version',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'deleteVersion',
        summary: 'Delete a version',
        description:
          'Its content is gone for good, its labels are removed, and its number is never used again; `latest` is the highest version that ' +
          'is left. The response is 409 while another prompt includes it at a label that points at it, and for the only version of a prompt: ' +
          'delete the prompt instead.',
        params: VersionPath,
        response: { 204: Type.Null(), ...errorResponses(400, '401 key', 403, 404, 409, 503) },
      },
    },
    async (req, reply) => {
      await deleteVersion(ctx, actorOf(req), req.params.name, req.params.version);
      return reply.status(204).send();
    },
  );
};
