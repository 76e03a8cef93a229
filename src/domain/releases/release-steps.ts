import { AppError } from '../../errors.ts';
import { type Repeating, repeat } from '../../platform/scheduling/repeat.ts';
import type { StoppedRelease } from '../../store/accounts/notifications.ts';
import type { PromptTransaction } from '../../store/prompts/prompt-transaction.ts';
import type { ReleaseRecord } from '../../store/prompts/releases.ts';
import type { WithStore } from '../../store/store.ts';
import type { WithMail } from '../mail/mail.ts';
import { addNotification, mailNotification, type StoredNotification } from '../notifications/notify.ts';
import type { WithChanges } from '../prompts/change-prompts.ts';
import { findWideningError } from '../prompts/labels/authorize-move.ts';
import type { WithReports } from '../statistics/statistics.ts';
import { describeWorkspace } from '../workspaces/change-workspace.ts';
import { type Decision, decide } from './release-decision.ts';
import type { Measurement } from './release-measurement.ts';
import { measure, type ReleaseReaders } from './release-progress.ts';
import { applyTransition } from './release-states.ts';

const intervalMs = 60_000;
const pageSize = 100;

type Workspace = Awaited<ReturnType<typeof describeWorkspace>>;
type Stepping = WithStore & WithReports & WithChanges & WithMail;

/** Looks at all running releases every minute, and widens them, pauses them or rolls them back. Every instance does this. */
export function startSteppingReleases(
  ctx: Stepping,
  readers: ReleaseReaders,
  { onError, ...options }: { onError(err: unknown): void; intervalMs?: number },
): Repeating {
  return repeat((signal) => stepReleases(ctx, readers, signal), { intervalMs, ...options, onError });
}

/** Checks one release at a time. An error in one release does not affect the others, and the release is checked again the next time. */
export async function stepReleases(ctx: Stepping, readers: ReleaseReaders, signal?: AbortSignal): Promise<void> {
  const errors: unknown[] = [];
  let last: ReleaseRecord | undefined;
  let page: ReleaseRecord[];
  do {
    page = await ctx.store.releases.listRunning(last && { accountId: last.accountId, id: last.split.id }, pageSize);
    for (const release of page) {
      await stepRelease(ctx, readers, release, signal).catch((err: unknown) => errors.push(err));
      if (signal?.aborted) return;
    }
    last = page.at(-1);
  } while (page.length === pageSize);
  if (errors.length > 0) throw new AggregateError(errors, 'Some releases could not be measured or changed');
}

async function stepRelease(ctx: Stepping, readers: ReleaseReaders, release: ReleaseRecord, signal: AbortSignal | undefined): Promise<void> {
  const measured = await ctx.reports.run(release.accountId, () => measure(readers, release), signal);
  const decision = decide(release, measured, new Date());
  if (!decision) return;
  const workspace = await describeWorkspace(ctx.store, release.accountId);
  const work = () => ctx.store.changePrompts(release.accountId, (stores) => act(stores, { workspace, release, decision, measured }));
  const notification = await ctx.changes.run(release.accountId, work, signal).catch(ignoreDeletedAccount);
  if (notification) mailNotification(ctx, notification);
}

/**
 * Changes a release, unless a person or another instance has changed it since it was measured. Changes to a workspace run one after the
 * other, so exactly one instance acts. Returns the notification that has to be mailed after the commit.
 */
async function act(
  stores: PromptTransaction,
  { workspace, release, decision, measured }: { workspace: Workspace; release: ReleaseRecord; decision: Decision; measured: Measurement },
): Promise<StoredNotification | undefined> {
  const { accountId, promptId, label, startedBy } = release;
  const current = await stores.releases.find(release, label);
  const prompt = await stores.prompts.findById(accountId, promptId);
  if (!prompt || !current || !isUnchanged(release, current)) return undefined;
  const isForbidden = decision.type === 'widened' && (await findWideningError(stores, { prompt, release: current })) !== undefined;
  const transition: Decision = isForbidden ? { type: 'paused', cause: 'not_allowed' } : decision;
  const { guards } = measured;
  const units = measured.arms.map(({ arm, weight, units }) => ({ arm, weight, units }));
  const change = { prompt, release: current, transition, automatic: true, guards, units } as const;
  await applyTransition({ ...stores, changedNames: [] }, { workspaceId: accountId, by: startedBy }, change);
  await stores.prompts.update(accountId, promptId, { updatedAt: new Date().toISOString() });
  if (transition.type === 'widened') return undefined;
  const { type: state, cause } = transition;
  return notify(
    stores,
    { ...release, workspace },
    { prompt: prompt.name, label, state, cause, control: release.split.control, guards, units },
  );
}

function isUnchanged(release: ReleaseRecord, current: ReleaseRecord): boolean {
  const isSame = (field: 'state' | 'stage' | 'changedAt') => release[field] === current[field];
  return release.split.id === current.split.id && isSame('state') && isSame('stage') && isSame('changedAt');
}

/** Notifies the person who started the release. If this person has left or is a program, notifies the owner and the admins. */
async function notify(
  stores: PromptTransaction,
  { workspace, startedBy, split }: Pick<ReleaseRecord, 'startedBy' | 'split'> & { workspace: Workspace },
  stopped: StoppedRelease,
): Promise<StoredNotification> {
  const starter = (await stores.memberships.findNames(workspace.id, [startedBy.userId])).get(startedBy.userId);
  return addNotification(stores, {
    kind: 'release_stopped',
    workspace,
    subjectId: split.id,
    detail: { stopped },
    recipients: starter && !starter.isService ? [startedBy.userId] : await stores.memberships.listManagers(workspace.id),
  });
}

function ignoreDeletedAccount(err: unknown): undefined {
  if (!(err instanceof AppError) || err.code !== 'unauthorized') throw err;
}
