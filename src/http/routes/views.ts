import { maxViews } from '../../contract/limits.ts';
import { NewView, View, ViewChange, ViewList, ViewPath } from '../../contract/views.ts';
import { changeView, createView, deleteView, listViews } from '../../domain/prompts/views.ts';
import { actorOf } from '../middleware/authentication.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

/** The caller's saved views of the list of prompts. The responses are not cached, because they differ between members. */
export const viewRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Favorites and views' });

  route('GET', '/api/views', {
    operationId: 'listViews',
    summary: 'List your saved views in the workspace',
    response: { 200: ViewList },
    handler: (req) => listViews(ctx, actorOf(req)),
  });

  route('POST', '/api/views', {
    operationId: 'createView',
    summary: 'Save filters of the list as a view',
    description: `You can have ${maxViews} saved views in each workspace. Other members do not see your views.`,
    body: NewView,
    response: { 201: View },
    errors: [409],
    handler: (req) => createView(ctx, actorOf(req), req.body),
  });

  route('PATCH', '/api/views/:id', {
    operationId: 'changeView',
    summary: 'Change the name or the filters of a saved view',
    params: ViewPath,
    body: ViewChange,
    response: { 200: View },
    errors: [409],
    handler: (req) => changeView(ctx, actorOf(req), req.params.id, req.body),
  });

  route('DELETE', '/api/views/:id', {
    operationId: 'deleteView',
    summary: 'Delete a saved view',
    params: ViewPath,
    response: noContent,
    handler: (req) => deleteView(ctx, actorOf(req), req.params.id),
  });
};
