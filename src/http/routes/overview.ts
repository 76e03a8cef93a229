import { FolderList } from '../../contract/folders.ts';
import { Overview, OverviewQuery } from '../../contract/overview.ts';
import { getOverview, listFolders } from '../../domain/prompts/overview.ts';
import { actorOf } from '../middleware/authentication.ts';
import type { Routes } from './route.ts';

export const overviewRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Prompts' });

  route('GET', '/api/overview', {
    operationId: 'getOverview',
    summary: 'Count prompts and list the tags, labels and authors',
    description: 'The filters apply only to the number of prompts, not to the tags, labels and authors.',
    isCached: true,
    querystring: OverviewQuery,
    response: { 200: Overview },
    handler: (req) => getOverview(ctx, actorOf(req), req.query),
  });

  route('GET', '/api/folders', {
    operationId: 'listFolders',
    summary: 'List the folders and the number of prompts in each',
    isCached: true,
    response: { 200: FolderList },
    handler: (req) => listFolders(ctx, actorOf(req)),
  });
};
