import { maxViews } from '../../contract/limits.ts';
import type { NewView, View, ViewChange, ViewList } from '../../contract/views.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { ViewRecord } from '../../store/prompts/views.ts';
import type { WithStore } from '../../store/store.ts';
import { type Actor, credentialOf } from '../actor.ts';
import { newId, toStorable } from '../ids.ts';
import { assertPlainText } from './versions/version-content.ts';

/** Lists the actor's saved views in the workspace. */
export async function listViews({ store }: WithStore, actor: Actor): Promise<ViewList> {
  return { data: await store.read(actor.workspaceId).views.list(actor) };
}

/** Saves filters of the list of prompts under a name that the actor has not used yet. */
export async function createView({ store }: WithStore, actor: Actor, input: NewView): Promise<View> {
  const { name, filters } = parseView(input);
  return store.changePersonal(actor.workspaceId, credentialOf(actor), async ({ views }) => {
    const existing = await views.list(actor);
    if (existing.length >= maxViews) throw new AppError('too_many_views');
    assertNameFree(existing, name);
    const now = new Date().toISOString();
    const view = { id: newId('vw'), name, filters, createdAt: now, updatedAt: now };
    await views.put(actor, view);
    return view;
  });
}

export async function changeView({ store }: WithStore, actor: Actor, id: string, change: ViewChange): Promise<View> {
  return store.changePersonal(actor.workspaceId, credentialOf(actor), async ({ views }) => {
    const existing = await views.list(actor);
    const before = existing.find((view) => view.id === id);
    if (!before) throw new AppError('view_not_found');
    const { name, filters } = parseView({ name: change.name ?? before.name, filters: change.filters ?? before.filters });
    assertNameFree(
      existing.filter((view) => view !== before),
      name,
    );
    const view = { ...before, name, filters, updatedAt: new Date().toISOString() };
    await views.put(actor, view);
    return view;
  });
}

export async function deleteView({ store }: WithStore, actor: Actor, id: string): Promise<void> {
  const isDeleted = await store.changePersonal(actor.workspaceId, credentialOf(actor), ({ views }) => views.remove(actor, toStorable(id)));
  if (!isDeleted) throw new AppError('view_not_found');
}

function parseView({ name, filters }: NewView): NewView {
  assertPlainText('/name', name);
  for (const [field, value] of Object.entries(filters)) if (typeof value === 'string') assertPlainText(`/filters/${field}`, value);
  const trimmed = name.trim();
  if (trimmed === '') throw invalidField('/name', 'Must not be empty');
  return { name: trimmed, filters };
}

function assertNameFree(views: ViewRecord[], name: string): void {
  if (views.some((view) => view.name === name)) throw new AppError('view_name_taken');
}
