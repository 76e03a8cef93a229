import { listOf, PageQuery } from '../../contract/lists.ts';
import { NewVersion, SavedVersion, Version } from '../../contract/versions.ts';
import { StrictQuery } from '../../contract/warnings.ts';
import { deleteVersion } from '../../domain/prompts/versions/delete-version.ts';
import { createVersion, getVersion, listVersions } from '../../domain/prompts/versions/versions.ts';
import { actorOf } from '../middleware/authentication.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

export const versionRoutes: Routes = ({ ctx, responseCache, createRoute }) => {
  const route = createRoute({ tag: 'Versions and labels' });

  route('GET', '/api/prompts/:name/versions', {
    operationId: 'listVersions',
    summary: 'List versions, newest first',
    isCached: true,
    querystring: PageQuery,
    response: { 200: listOf('VersionList', Version) },
    handler: (req) => listVersions(ctx, actorOf(req), req.params.name, req.query),
  });

  route('POST', '/api/prompts/:name/versions', {
    operationId: 'createVersion',
    summary: 'Save a new version',
    description: 'Versions are immutable. A label moves only if you list it in `labels` or call `PUT …/labels/{label}`.',
    querystring: StrictQuery,
    body: NewVersion,
    response: { 201: SavedVersion },
    errors: [409, 422],
    handler: (req) => createVersion(ctx, actorOf(req), req.params.name, req.body, { isStrict: req.query.strict === 'true' }),
  });

  route('GET', '/api/prompts/:name/versions/:version', {
    operationId: 'getVersion',
    summary: 'Get a version',
    isCached: true,
    response: { 200: Version },
    errors: [400],
    handler: async (req, reply) => {
      const { name, version: number } = req.params;
      const { version, served } = await getVersion(ctx, actorOf(req), name, { version: number });
      return responseCache.send(req, reply, version, { servedPrompt: served });
    },
  });

  route('DELETE', '/api/prompts/:name/versions/:version', {
    operationId: 'deleteVersion',
    summary: 'Delete a version',
    description:
      'The content is deleted permanently, the labels of the version are removed, and its number is never used again. `latest` then ' +
      'points at the highest remaining version. The response is 409 if another prompt includes this version at a label that points at ' +
      'it, or if this is the only version. To delete the only version, delete the prompt.',
    response: noContent,
    errors: [400, 409],
    handler: (req) => deleteVersion(ctx, actorOf(req), req.params.name, req.params.version),
  });
};
