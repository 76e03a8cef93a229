import type { WorkspaceChange, WorkspaceSettings } from '../../contract/workspace-settings.ts';
import { AppError } from '../../errors.ts';
import type { WorkspaceStores } from '../../store/bound-stores.ts';
import type { WithStore } from '../../store/store.ts';
import type { WithAudit } from '../accounts/audit.ts';
import { getName } from '../accounts/names.ts';
import type { Actor, Client } from '../actor.ts';
import { assertMovable } from '../prompts/labels/labels.ts';
import { changeWorkspace, recordInWorkspace } from './change-workspace.ts';
import { findChanges } from './find-changes.ts';

/** Returns the settings of the actor's workspace. */
export async function getWorkspace({ store }: WithStore, { workspaceId }: Actor): Promise<WorkspaceSettings> {
  return getSettings(store, workspaceId);
}

/** Changes the settings. A workspace has the name of its owner's account, so only the owner can change it. */
export async function updateWorkspace(
  ctx: WithAudit,
  actor: Actor,
  { client, ...change }: WorkspaceChange & { client: Client },
): Promise<WorkspaceSettings> {
  const { workspaceId } = actor;
  const name = change.name === undefined ? undefined : getName(change.name);
  const protectedLabels = change.protectedLabels && parseLabels(change.protectedLabels, '/protectedLabels');
  const gatedLabels = change.gatedLabels && parseLabels(change.gatedLabels, '/gatedLabels');

  const { before, after } = await changeWorkspace(ctx, actor, 'admin', async (stores, role) => {
    if (name !== undefined && role !== 'owner') throw new AppError('forbidden', { text: 'Only the owner can rename the workspace' });
    const before = await getSettings(stores, workspaceId);
    const after = {
      name: name ?? before.name,
      protectedLabels: protectedLabels ?? before.protectedLabels,
      gatedLabels: gatedLabels ?? before.gatedLabels,
      dailyBudget: change.dailyBudget ?? before.dailyBudget,
    };
    await stores.workspaceSettings.update(workspaceId, after);
    return { before, after };
  });
  const { changed, previous, next } = findChanges(before, after);
  if (changed.length > 0) recordInWorkspace(ctx, actor, { type: 'workspace_changed', detail: { ...next, previous }, client });
  return after;
}

async function getSettings(
  { workspaceSettings }: Pick<WorkspaceStores, 'workspaceSettings'>,
  workspaceId: string,
): Promise<WorkspaceSettings> {
  const settings = await workspaceSettings.find(workspaceId);
  if (!settings) throw new AppError('workspace_not_found');
  return settings;
}

function parseLabels(labels: string[], path: string): string[] {
  for (const [index, label] of labels.entries()) assertMovable(`${path}/${index}`, label);
  return [...new Set(labels)].sort();
}
