import type { AppliedProposal, Verdict } from '../../contract/proposals.ts';
import type { NoticedProposal } from '../../store/accounts/notifications.ts';
import type { PromptTransaction } from '../../store/prompts/prompt-transaction.ts';
import { type Actor, toPerson } from '../actor.ts';
import { addNotification, type StoredNotification } from '../notifications/notify.ts';
import type { CurrentProposal } from './proposal-state.ts';

/** The events of a proposal about which people are notified. */
export type ProposalNotice =
  | { kind: 'review_requested' }
  | { kind: 'proposal_reviewed'; verdict: Verdict }
  | { kind: 'proposal_applied'; applied: AppliedProposal }
  | { kind: 'proposal_failed'; problem: string };

interface NoticeContext {
  workspace: { id: string; name: string };
  /** Who caused the notification. Undefined if the service caused it. */
  actor?: Actor | undefined;
}

/** Stores the notification about a change to a proposal, inside the transaction of the change. */
export async function noticeProposal(
  stores: Pick<PromptTransaction, 'notifications' | 'memberships'>,
  { record, changes }: Pick<CurrentProposal, 'record' | 'changes'>,
  { kind, ...facts }: ProposalNotice,
  { workspace, actor }: NoticeContext,
): Promise<StoredNotification> {
  const labels = changes.map(({ prompt, label }) => ({ prompt: prompt?.name ?? '', label }));
  const proposal: NoticedProposal = { changes: labels, ...facts };
  return addNotification(stores, {
    kind,
    workspace,
    by: actor && actor.via !== 'service' ? toPerson(actor) : undefined,
    subjectId: record.id,
    detail: { proposal },
    recipients: await findRecipients(stores, record, kind, workspace.id),
  });
}

/**
 * Finds whom to notify. If a proposal fails that was opened by a program or by someone who has left, the owner and the admins are
 * notified.
 */
async function findRecipients(
  { memberships }: Pick<PromptTransaction, 'memberships'>,
  { reviewers, openedBy }: CurrentProposal['record'],
  kind: ProposalNotice['kind'],
  workspaceId: string,
): Promise<string[]> {
  if (kind === 'review_requested') return reviewers;
  const opener = (await memberships.findNames(workspaceId, [openedBy.userId])).get(openedBy.userId);
  if (kind === 'proposal_failed' && (!opener || opener.isService)) return memberships.listManagers(workspaceId);
  return [openedBy.userId];
}
