import type { WorkspaceChange, WorkspaceSettings } from '../../contract/workspace-settings.ts';
import { AppError } from '../../errors.ts';
import type { WithStore, WorkspaceStores } from '../../store/store.ts';
import type { WithAudit } from '../accounts/audit.ts';
import { getName } from '../accounts/names.ts';
import type { Actor, Client } from '../actor.ts';
import { assertMovable } from '../prompts/labels/labels.ts';
import { changeWorkspace, recordInWorkspace } from './change-workspace.ts';

/** The settings of the actor's workspace. */
export async function getWorkspace({ store }: WithStore, { workspaceId }: Actor): Promise<WorkspaceSettings> {
  return getSettings(store, workspaceId);
}

/** Changes the settings. The name is that of the owner's account, so only the owner can change it. */
export async function updateWorkspace(
  ctx: WithStore & WithAudit,
  actor: Actor,
  { client, ...change }: WorkspaceChange & { client: Client },
): Promise<WorkspaceSettings> {
  const { workspaceId } = actor;
  const name = change.name === undefined ? undefined : getName(change.name);
  for (const [index, label] of change.protectedLabels?.entries() ?? []) assertMovable(`/protectedLabels/${index}`, label);
  for (const [index, label] of change.gatedLabels?.entries() ?? []) assertMovable(`/gatedLabels/${index}`, label);
  const protectedLabels = change.protectedLabels && toSet(change.protectedLabels);
  const gatedLabels = change.gatedLabels && toSet(change.gatedLabels);

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
  const detail = {
    ...(after.name !== before.name && { name: after.name }),
    ...(String(after.protectedLabels) !== String(before.protectedLabels) && { protectedLabels: after.protectedLabels }),
    ...(String(after.gatedLabels) !== String(before.gatedLabels) && { gatedLabels: after.gatedLabels }),
    ...(JSON.stringify(after.dailyBudget) !== JSON.stringify(before.dailyBudget) && { dailyBudget: after.dailyBudget }),
  };
  if (Object.keys(detail).length > 0) recordInWorkspace(ctx, actor, { type: 'workspace_changed', detail, client });
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

function toSet(labels: string[]): string[] {
  return [...new Set(labels)].sort();
}
