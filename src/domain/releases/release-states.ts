import type { HistoryEntry } from '../../contract/history.ts';
import { maxRunningReleases } from '../../contract/limits.ts';
import type { AppliedProposal } from '../../contract/proposals.ts';
import type { Split } from '../../contract/release-assignment.ts';
import type { RecordedRelease, ReleaseCause, ReleaseFields } from '../../contract/releases.ts';
import { AppError } from '../../errors.ts';
import type { PromptOwner } from '../../store/prompts/prompt-owner.ts';
import type { PromptStores } from '../../store/prompts/prompt-transaction.ts';
import type { ReleaseRecord } from '../../store/prompts/releases.ts';
import { type Author, type RecordingStores, recordChange } from '../prompts/history.ts';
import { isActive, versionsOf } from './release-choice.ts';

/** A change to a release that has started. */
export type Transition =
  | { type: 'widened'; arms: Split['arms'] }
  | { type: 'paused'; cause: ReleaseCause }
  | { type: 'resumed' }
  | { type: 'rolled_back'; cause: ReleaseCause }
  | { type: 'finished'; to: number };

/** Throws if a label has an active release. Only a change to the release itself may end it. */
export async function assertNoRelease({ releases }: Pick<PromptStores, 'releases'>, owner: PromptOwner, label: string): Promise<void> {
  if (!isActive(await releases.find(owner, label))) return;
  const text = `The label "${label}" has a release. Finish the release or roll it back, and then move or remove the label.`;
  throw new AppError('release_running', { text });
}

/** Throws if a workspace already has the maximum number of running releases. */
export async function assertRoom({ releases }: Pick<PromptStores, 'releases'>, workspaceId: string): Promise<void> {
  if ((await releases.countRunning(workspaceId)) < maxRunningReleases) return;
  throw new AppError('quota_exceeded', { text: `A workspace can have at most ${maxRunningReleases} running releases` });
}

/** Throws if a release uses a version that is to be deleted. */
export async function assertNotReleased(
  { releases }: Pick<PromptStores, 'releases'>,
  { accountId, promptId }: PromptOwner,
  version: number,
): Promise<void> {
  const using = (await releases.listActive(accountId, [promptId])).find(({ split }) => versionsOf(split).includes(version));
  if (!using) return;
  const text = `The release on the label "${using.label}" uses version ${version}. Finish the release or roll it back first.`;
  throw new AppError('release_running', { text });
}

/** Rolls back the releases of a prompt that leaves the workspace. */
export async function endReleases(stores: RecordingStores & Pick<PromptStores, 'releases'>, author: Author, prompt: PromptOfRelease) {
  for (const release of await stores.releases.listActive(author.workspaceId, [prompt.id]))
    await applyTransition(stores, author, { prompt, release, transition: { type: 'rolled_back', cause: 'deleted' } });
}

type PromptOfRelease = { id: string; name: string };

/** Stores a change to a release, and records it in the history and the events. Runs inside a transaction. */
export async function applyTransition(
  stores: RecordingStores & Pick<PromptStores, 'releases'>,
  author: Author,
  {
    prompt,
    release,
    transition,
    ...why
  }: { prompt: PromptOfRelease; release: ReleaseRecord; transition: Transition } & Pick<RecordedRelease, 'automatic' | 'guards' | 'units'>,
): Promise<ReleaseRecord> {
  const now = new Date().toISOString();
  const changed = { ...release, ...toChanges(release, transition), changedAt: now };
  const next = { ...changed, endedAt: isActive(changed) ? null : now };
  await stores.releases.put(next);
  const cause = 'cause' in transition ? { cause: transition.cause } : undefined;
  recordRelease(stores, author, { prompt, release: next, type: transition.type, ...cause, ...why });
  return next;
}

/** Records a change to a release. */
export function recordRelease(
  stores: RecordingStores,
  author: Author,
  {
    prompt,
    release,
    type,
    override,
    proposal,
    ...why
  }: {
    prompt: PromptOfRelease;
    release: ReleaseRecord;
    type: 'started' | Transition['type'];
    override?: Pick<HistoryEntry, 'override' | 'overridden'> | undefined;
    proposal?: AppliedProposal | undefined;
  } & Pick<RecordedRelease, 'cause' | 'automatic' | 'guards' | 'units'>,
): void {
  const { id, control, arms } = release.split;
  const recorded = { id, control, arms: [...arms], ...why } satisfies RecordedRelease;
  recordChange(stores, author, prompt, {
    type: `release_${type}`,
    label: release.label,
    release: recorded,
    ...override,
    ...(proposal && { proposal }),
  });
}

function toChanges({ split, stage }: ReleaseRecord, transition: Transition): Partial<ReleaseRecord> {
  switch (transition.type) {
    case 'widened':
      return { split: { ...split, arms: transition.arms }, stage: stage + 1 };
    case 'resumed':
      return { state: 'running', cause: null, stage: stage + 1 };
    case 'paused':
      return { state: 'paused', cause: transition.cause };
    case 'rolled_back':
      return { state: 'rolled_back', cause: transition.cause };
    case 'finished':
      return { state: 'finished', cause: null };
  }
}

/** Returns a release in the shape of the API. */
export function toRelease({ split, plan, ...release }: ReleaseRecord): ReleaseFields {
  const { id, salt, control, arms, rules } = split;
  const { approved: _, isOverridden: __, ...shown } = plan;
  const { label, state, cause, startedAt, startedBy, changedAt, endedAt } = release;
  return {
    ...{ id, label, state, cause, salt, control },
    arms: [...arms],
    rules: rules.map((rule) => ({ version: rule.version, if: toConditions(rule.if) })),
    ...shown,
    step: plan.steps.filter((weight) => weight <= (arms[0]?.weight ?? 0)).length,
    ...{ startedAt, startedBy, changedAt, endedAt },
  };
}

function toConditions(conditions: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(conditions).map(([name, values]) => [name, [...values]]));
}
