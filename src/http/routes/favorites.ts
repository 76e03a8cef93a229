import { FavoriteList } from '../../contract/favorites.ts';
import { maxFavorites } from '../../contract/limits.ts';
import { addFavorite, listFavorites, removeFavorite } from '../../domain/prompts/favorites.ts';
import { actorOf } from '../middleware/authentication.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

/** The prompts that the caller marked as favorites. The responses are not cached, because they differ between members. */
export const favoriteRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Favorites and views' });

  route('GET', '/api/favorites', {
    operationId: 'listFavorites',
    summary: 'List your favorites in the workspace',
    response: { 200: FavoriteList },
    handler: (req) => listFavorites(ctx, actorOf(req)),
  });

  route('PUT', '/api/prompts/:name/favorite', {
    operationId: 'addFavorite',
    summary: 'Add a prompt to your favorites',
    description: `A renamed prompt stays a favorite. You can have ${maxFavorites} favorites in each workspace.`,
    response: noContent,
    errors: [409],
    handler: (req) => addFavorite(ctx, actorOf(req), req.params.name),
  });

  route('DELETE', '/api/prompts/:name/favorite', {
    operationId: 'removeFavorite',
    summary: 'Remove a prompt from your favorites',
    response: noContent,
    handler: (req) => removeFavorite(ctx, actorOf(req), req.params.name),
  });
};
