import { isDeepStrictEqual } from 'node:util';
import type { LabelRules, NewLabelRule } from '../../contract/label-rules.ts';
import { includesRole, type Role } from '../../contract/roles.ts';
import type { WorkspaceChange, WorkspaceSettings } from '../../contract/workspace-settings.ts';
import { AppError } from '../../errors.ts';
import type { WorkspaceStores } from '../../store/bound-stores.ts';
import type { WithStore } from '../../store/store.ts';
import type { WithAudit } from '../accounts/audit.ts';
import { getName } from '../accounts/names.ts';
import { type Actor, type Client, toPerson } from '../actor.ts';
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
  const labelRules = change.labelRules && parseRules(change.labelRules);
  const gatedLabels = change.gatedLabels && parseLabels(change.gatedLabels, '/gatedLabels');

  const { before, after } = await changeWorkspace(ctx, actor, 'admin', async (stores, role) => {
    if (name !== undefined && role !== 'owner') throw new AppError('forbidden', { text: 'Only the owner can rename the workspace' });
    const before = await getSettings(stores, workspaceId);
    const after = {
      name: name ?? before.name,
      protectedLabels: protectedLabels ?? before.protectedLabels,
      gatedLabels: gatedLabels ?? before.gatedLabels,
      labelRules: labelRules ? changeRules(role, before.labelRules, labelRules) : before.labelRules,
      dailyBudget: change.dailyBudget ?? before.dailyBudget,
    };
    await stores.workspaceSettings.update(workspaceId, after);
    const labels = findChangedLabels(before, after);
    if (labels.length > 0) {
      const detail = JSON.stringify({ labels });
      stores.events.add({ type: 'rules.changed', at: new Date().toISOString(), by: toPerson(actor), prompt: null, detail });
    }
    return { before, after };
  });
  const { changed, previous, next } = findChanges(before, after);
  if (changed.length > 0) recordInWorkspace(ctx, actor, { type: 'workspace_changed', detail: { ...next, previous }, client });
  return after;
}

/** Lists the labels whose rules differ. Under the new rules, approvals of open proposals may start or stop counting. */
function findChangedLabels(before: WorkspaceSettings, after: WorkspaceSettings): string[] {
  const rulesOf = ({ protectedLabels, gatedLabels, labelRules }: WorkspaceSettings, label: string) => [
    protectedLabels.includes(label),
    gatedLabels.includes(label),
    labelRules[label],
  ];
  const all = [before, after].flatMap(({ protectedLabels, gatedLabels, labelRules }) => [
    ...protectedLabels,
    ...gatedLabels,
    ...Object.keys(labelRules),
  ]);
  return [...new Set(all)].filter((label) => !isDeepStrictEqual(rulesOf(before, label), rulesOf(after, label))).sort();
}

async function getSettings(
  { workspaceSettings }: Pick<WorkspaceStores, 'workspaceSettings'>,
  workspaceId: string,
): Promise<WorkspaceSettings> {
  const settings = await workspaceSettings.find(workspaceId);
  if (!settings) throw new AppError('workspace_not_found');
  return settings;
}

function parseRules(rules: Record<string, NewLabelRule>): LabelRules {
  const parsed = Object.entries(rules).map(([label, { approvals, authorMayApprove = false, keysMayApply = false, override = 'admin' }]) => {
    assertMovable(`/labelRules/${label}`, label);
    return [label, { approvals, authorMayApprove, keysMayApply, override }] as const;
  });
  return Object.fromEntries(parsed.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Returns the new rules. Someone who may not override a rule may neither change nor remove it, because either would have the same effect
 * as an override.
 */
function changeRules(role: Role, before: LabelRules, after: LabelRules): LabelRules {
  for (const [label, rule] of Object.entries(before)) {
    if (isDeepStrictEqual(rule, after[label])) continue;
    const required = rule.override === 'admin' ? 'admin' : 'owner';
    if (includesRole(role, required)) continue;
    throw new AppError('forbidden', { text: `Only the owner can change the rule of the label "${label}"` });
  }
  return after;
}

function parseLabels(labels: string[], path: string): string[] {
  for (const [index, label] of labels.entries()) assertMovable(`${path}/${index}`, label);
  return [...new Set(labels)].sort();
}
