import type { FavoriteList } from '../../contract/favorites.ts';
import { maxFavorites } from '../../contract/limits.ts';
import { AppError } from '../../errors.ts';
import type { WithStore } from '../../store/store.ts';
import { type Actor, credentialOf } from '../actor.ts';
import { getPromptRecord } from './prompt-records.ts';

/** Lists the actor's favorites in the workspace. */
export async function listFavorites({ store }: WithStore, actor: Actor): Promise<FavoriteList> {
  return { data: await store.read(actor.workspaceId).favorites.list(actor) };
}

/** Marks a prompt as a favorite of the actor. The favorite follows the prompt when it is renamed. */
export async function addFavorite({ store }: WithStore, actor: Actor, name: string): Promise<void> {
  const { id } = await getPromptRecord(store, actor, name);
  await store.changePersonal(actor.workspaceId, credentialOf(actor), async ({ favorites }) => {
    const isNew = await favorites.insert(actor, id);
    // The error rolls back the insert.
    if (isNew && (await favorites.count(actor)) > maxFavorites) throw new AppError('too_many_favorites');
  });
}

export async function removeFavorite({ store }: WithStore, actor: Actor, name: string): Promise<void> {
  const { id } = await getPromptRecord(store, actor, name);
  await store.changePersonal(actor.workspaceId, credentialOf(actor), ({ favorites }) => favorites.remove(actor, id));
}
