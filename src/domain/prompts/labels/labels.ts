import { isLabel, latestLabel } from '../../../contract/label-names.ts';
import type { AppliedProposal } from '../../../contract/proposals.ts';
import type { Variable } from '../../../contract/variables.ts';
import type { SavedVersion } from '../../../contract/versions.ts';
import type { Warning } from '../../../contract/warnings.ts';
import { invalidField, labelNotFound, versionNotFound } from '../../../errors.ts';
import type { PromptRecord } from '../../../store/prompts/prompts.ts';
import type { VersionRecord } from '../../../store/prompts/version-rows.ts';
import type { WithStore } from '../../../store/store.ts';
import type { Actor } from '../../actor.ts';
import { assertNoRelease } from '../../releases/release-states.ts';
import type { WithRecorder } from '../../statistics/usage-recorder.ts';
import { changePrompts, type PromptChangeStores, type WithChanges } from '../change-prompts.ts';
import { recordEvent } from '../history.ts';
import { resolveIncludes } from '../includes/resolve-includes.ts';
import { getPromptRecord } from '../prompt-records.ts';
import { toVersion } from '../versions/present-version.ts';
import { assertPlainText, parseStoredAnalysis, parseStoredContent } from '../versions/version-content.ts';
import { approvalRequired, authorizeMove, findRule } from './authorize-move.ts';
import { assertNoWarnings, findMoveWarnings, findRemovalWarnings } from './move-warnings.ts';
import { assertLabelsAllowed, isLabelAllowed } from './protected-labels.ts';

const maxLabels = 20;

/** Points a label at a version, which deploys a prompt or rolls it back. */
export async function moveLabel(
  ctx: WithStore & WithChanges & WithRecorder,
  actor: Actor,
  { label, ...target }: Omit<LabelsMove, 'labels'> & { label: string },
): Promise<SavedVersion> {
  assertMovable('/label', label);
  assertPlainText('/override', target.override);
  return moveLabels(ctx, actor, { ...target, labels: [label] });
}

interface LabelsMove {
  name: string;
  labels: string[];
  version: number;
  override?: string | undefined;
  isStrict?: boolean;
}

/** Points several labels of a prompt at a version. Returns warnings about what will fail, or refuses the move if the caller is strict. */
export async function moveLabels(
  ctx: WithStore & WithChanges & WithRecorder,
  actor: Actor,
  { isStrict = false, ...move }: LabelsMove,
): Promise<SavedVersion> {
  const { warnings, variables } = await inspectMove(ctx, actor, move);
  if (isStrict) assertNoWarnings(warnings);
  return { ...toVersion(await applyMove(ctx, actor, move), variables), warnings };
}

/** Finds what would fail if labels pointed at a version. Also returns the version's variables. */
export async function inspectMove(
  ctx: WithStore & WithRecorder,
  actor: Actor,
  { name, labels, version }: Pick<LabelsMove, 'name' | 'labels' | 'version'>,
): Promise<{ warnings: Warning[]; variables: Variable[] }> {
  const { workspaceId } = actor;
  const { prompt, ...found } = await ctx.store.readSnapshot(workspaceId, async (stores) => {
    const prompt = await getPromptRecord(stores, actor, name);
    const record = await stores.versions.find(workspaceId, prompt.id, version);
    if (!record) throw versionNotFound(version);
    const content = parseStoredContent(prompt.type, record);
    const { syntax } = content;
    const analysis = parseStoredAnalysis(record);
    const includes = await resolveIncludes(stores, actor, { name: prompt.name, syntax, analysis });
    return { prompt, content, analysis, includes, current: await stores.labels.list(workspaceId, prompt.id) };
  });
  const warnings = await findMoveWarnings(ctx, actor, { promptId: prompt.id, name: prompt.name, labels, ...found });
  return { warnings, variables: found.includes.variables };
}

async function applyMove(
  ctx: WithStore & WithChanges,
  actor: Actor,
  { name, labels, version, override }: LabelsMove,
): Promise<{ prompt: PromptRecord; record: VersionRecord; labels: Map<string, number> }> {
  const { workspaceId } = actor;
  return changePrompts(ctx, actor, async (stores, actor) => {
    const prompt = await getPromptRecord(stores, actor, name);
    const record = await stores.versions.find(workspaceId, prompt.id, version);
    if (!record) throw versionNotFound(version);
    const current = await stores.labels.list(workspaceId, prompt.id);
    for (const label of labels) await putLabel(stores, actor, { ...prompt, labels: current }, { label, version, by: 'move', override });
    await stores.prompts.update(workspaceId, prompt.id, { updatedAt: new Date().toISOString() });
    return { prompt, record, labels: current };
  });
}

/** Removes a label. If another prompt fails without the label, returns a warning, or refuses the removal if the caller is strict. */
export async function removeLabel(
  ctx: WithStore & WithChanges,
  actor: Actor,
  { name, label, isStrict = false }: { name: string; label: string; isStrict?: boolean },
): Promise<Warning[]> {
  const { workspaceId } = actor;
  return changePrompts(ctx, actor, async (stores, actor) => {
    const prompt = await getPromptRecord(stores, actor, name);
    assertLabelsAllowed(stores, actor, { labels: [label], to: 'remove it' });
    const version = (await stores.labels.list(workspaceId, prompt.id)).get(label);
    if (version === undefined) throw labelNotFound(label);
    await assertNoRelease(stores, { accountId: workspaceId, promptId: prompt.id }, label);
    const warnings = await findRemovalWarnings(stores, actor, { prompt, labels: [label] });
    if (isStrict) assertNoWarnings(warnings);
    await stores.labels.delete(workspaceId, prompt.id, label);
    // An ended release is deleted with its label, so that the limit on labels also limits the stored releases.
    await stores.releases.delete({ accountId: workspaceId, promptId: prompt.id }, label);
    recordEvent(stores, actor, prompt, { type: 'label_removed', label, from: version });
    await stores.prompts.update(workspaceId, prompt.id, { updatedAt: new Date().toISOString() });
    return warnings;
  });
}

/**
 * Points a label at a version, records the move, and updates `labels`, unless the label already points at the version. Runs inside a
 * transaction.
 */
export async function putLabel(
  stores: PromptChangeStores,
  actor: Actor,
  { labels, ...prompt }: { id: string; name: string; labels: Map<string, number> },
  {
    label,
    version,
    proposal,
    ...move
  }: {
    label: string;
    version: number;
    by: 'move' | 'batch' | 'save' | 'copy';
    /** The proposal with which the move was approved. */
    proposal?: AppliedProposal | undefined;
    override?: string | undefined;
  },
): Promise<void> {
  // An actor who may not move the label can propose to move it.
  const isProposable = move.by === 'move' && move.override === undefined && findRule(stores, label) !== undefined;
  if (isProposable && !isLabelAllowed(stores, actor, label)) throw approvalRequired({ prompt, label, version, ...move });
  assertLabelsAllowed(stores, actor, { labels: [label], to: 'move it' });
  const from = labels.get(label) ?? null;
  if (from === version) return;
  await assertNoRelease(stores, { accountId: actor.workspaceId, promptId: prompt.id }, label);
  if (from === null && labels.size >= maxLabels) throw invalidField('/labels', `A prompt can have at most ${maxLabels} labels`);
  const override = await authorizeMove(stores, actor, { prompt, label, version, isApproved: proposal !== undefined, ...move });
  await stores.labels.put(actor.workspaceId, prompt.id, label, version);
  labels.set(label, version);
  const why = { ...override, ...(proposal && { proposal }) };
  recordEvent(stores, actor, prompt, { type: 'label_moved', label, from, to: version, ...why });
}

/** Rejects invalid labels that the shape of a request does not reject. */
export function assertLabels(path: string, labels: string[]): void {
  for (const [index, label] of labels.entries()) {
    assertMovable(`${path}/${index}`, label);
    if (!isLabel(label)) {
      throw invalidField(
        `${path}/${index}`,
        'Use 1 to 50 lowercase letters, digits, dots, dashes and underscores. Start and end with a letter or digit.',
      );
    }
  }
}

/** Rejects `latest`, which is computed and not stored. */
export function assertMovable(path: string, label: string): void {
  if (label === latestLabel) throw invalidField(path, 'latest always points at the newest version and cannot be set');
}
