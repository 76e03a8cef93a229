import type { CommentRecord } from '../../store/prompts/comments.ts';
import type { PromptTransaction } from '../../store/prompts/prompt-transaction.ts';
import { addNotification, type StoredNotification } from '../notifications/notify.ts';
import type { Place } from './comment-places.ts';

/**
 * While a person has an unread notification about a subject, no further notification of the same kind is added until this time has passed.
 */
const quietMs = 60 * 60_000;

interface NoticedComment {
  record: CommentRecord;
  place: Place;
  /** The earlier comments of the thread. */
  thread: CommentRecord[];
  workspace: { id: string; name: string };
}

type NoticeStores = Pick<PromptTransaction, 'notifications' | 'versions' | 'candidates'>;

/**
 * Stores the notifications about a new comment, inside its transaction: one for the people whom it mentions, and one for the people whom
 * the thread concerns. People who have left the workspace do not see them, because only members see a workspace's notifications.
 */
export async function noticeComment(
  stores: NoticeStores,
  { record, place, thread, workspace }: NoticedComment,
): Promise<StoredNotification[]> {
  const mentioned = record.mentions.map(({ userId }) => userId);
  const concerned = new Set([...thread.map(({ by }) => by.userId), ...(await findResponsible(stores, workspace.id, { record, place }))]);
  for (const userId of mentioned) concerned.delete(userId);
  const { promptId, version, candidateId, proposalId } = record;
  const subjectId = proposalId ?? `${promptId}:${version ?? candidateId}`;
  const comment = {
    isReply: thread.length > 0,
    ...(promptId !== null && { prompt: place.prompt?.name ?? '', version, candidate: candidateId }),
  };
  const detail = { comment, ...(place.proposal && { proposal: { changes: place.changes } }) };
  const stored: StoredNotification[] = [];
  const byKind = { mentioned, comment_added: [...concerned] };
  for (const kind of ['mentioned', 'comment_added'] as const) {
    const recipients = byKind[kind];
    const since = new Date(Date.parse(record.at) - quietMs).toISOString();
    const informed = await stores.notifications.findInformed(recipients, { kind, workspaceId: workspace.id, subjectId, since });
    const others = recipients.filter((userId) => !informed.has(userId));
    if (others.length > 0)
      stored.push(await addNotification(stores, { kind, workspace, by: record.by, subjectId, detail, recipients: others }));
  }
  return stored;
}

/** Finds who opened the proposal, or wrote the version or candidate. */
async function findResponsible(
  { versions, candidates }: NoticeStores,
  accountId: string,
  { record: { promptId, version, candidateId }, place }: Pick<NoticedComment, 'record' | 'place'>,
): Promise<string[]> {
  if (place.proposal) return [place.proposal.openedBy.userId];
  if (promptId === null) return [];
  if (version !== null) return (await versions.listAuthors(accountId, [{ promptId, version }])).flatMap(({ authors }) => authors);
  return (await candidates.find({ accountId, promptId }, candidateId ?? ''))?.authors ?? [];
}
