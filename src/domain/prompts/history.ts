import type { EventType } from '../../contract/events.ts';
import type { HistoryEntry } from '../../contract/history.ts';
import { latestLabel } from '../../contract/label-names.ts';
import type { Page, PageQuery } from '../../contract/lists.ts';
import type { ServicePerson } from '../../contract/people.ts';
import type { WithStore } from '../../store/store.ts';
import { type Actor, toPerson } from '../actor.ts';
import { readPage } from '../cursors.ts';
import { newId } from '../ids.ts';
import type { PromptChangeStores } from './change-prompts.ts';
import type { ChangedName } from './includes/dependency-events.ts';
import { getPromptRecord } from './prompt-records.ts';

export type RecordingStores = Pick<PromptChangeStores, 'history' | 'events' | 'changedNames'>;

/** Who makes a change, and in which workspace. */
export interface Author {
  workspaceId: string;
  by: ServicePerson;
}

/** Records an actor's change in the prompt's history and in the workspace's events. Runs inside the transaction of the change. */
export function recordEvent(stores: RecordingStores, actor: Actor, prompt: { id: string; name: string }, change: Change): void {
  recordChange(stores, toAuthor(actor), prompt, change);
}

export function toAuthor(actor: Actor): Author {
  return { workspaceId: actor.workspaceId, by: toPerson(actor) };
}

/** Records a change that a person made, or that the service made for a person. */
export function recordChange(
  stores: RecordingStores,
  { workspaceId, by }: Author,
  prompt: { id: string; name: string },
  change: Change,
): void {
  const { type, ...rest } = change;
  const detail = JSON.stringify(rest);
  const at = new Date().toISOString();
  stores.history.add(workspaceId, prompt.id, { id: newId('e'), type, detail, by, at });
  stores.events.add({ type: eventTypes[type], at, by, prompt: { id: prompt.id, name: prompt.name }, detail });
  for (const changed of listChangedNames(prompt.name, change))
    stores.changedNames.push({ ...changed, prompt: { id: prompt.id, name: prompt.name } });
}

export type Change = Omit<HistoryEntry, 'id' | 'at' | 'by'>;

/** Lists the names and labels that refer to a different version after a change. */
function listChangedNames(name: string, { type, label, from }: Change): Omit<ChangedName, 'prompt'>[] {
  // When a version is deleted, each removal of one of its labels is recorded as a change of its own. `deleteVersion` itself adds `latest`
  // if it then refers to another version.
  if (type === 'described' || type === 'cases_changed' || type === 'version_deleted') return [];
  // An include always uses the version at the label, which is the control of a release. A release therefore changes no includes.
  if (type.startsWith('release_')) return [];
  if (type === 'label_moved' || type === 'label_removed') return [{ name, label }];
  if (isNew(type) || type === 'version_saved') return [{ name, label: latestLabel }];
  const names = typeof from === 'string' ? [from, name] : [name];
  return names.map((changed) => ({ name: changed, label: undefined }));
}

/** Returns whether the change adds a prompt. The labels of a new prompt are set one by one. */
function isNew(type: Change['type']): boolean {
  return type === 'created' || type === 'copied' || type === 'moved_in';
}

const eventTypes: Record<HistoryEntry['type'], EventType> = {
  created: 'prompt.created',
  version_saved: 'version.created',
  version_deleted: 'version.deleted',
  label_moved: 'label.moved',
  label_removed: 'label.removed',
  release_started: 'release.started',
  release_widened: 'release.widened',
  release_paused: 'release.paused',
  release_resumed: 'release.resumed',
  release_rolled_back: 'release.rolled_back',
  release_finished: 'release.finished',
  renamed: 'prompt.changed',
  described: 'prompt.changed',
  deleted: 'prompt.deleted',
  restored: 'prompt.restored',
  cases_changed: 'prompt.changed',
  copied: 'prompt.created',
  moved_in: 'prompt.created',
  moved_out: 'prompt.deleted',
};

/** Lists a page of a prompt's changes, newest first. */
export async function listHistory(ctx: WithStore, actor: Actor, name: string, query: PageQuery): Promise<Page<HistoryEntry>> {
  const { workspaceId } = actor;
  const { id: promptId } = await getPromptRecord(ctx.store, actor, name);
  const { history } = ctx.store.read(workspaceId);
  const list = (before: string | undefined, limit: number) => history.list(workspaceId, promptId, { before, limit });
  // `recordEvent` wrote the detail from the other fields of an entry.
  return readPage('history', query, list, ({ detail, ...entry }) => ({ ...entry, ...(JSON.parse(detail) as object) }) as HistoryEntry);
}
