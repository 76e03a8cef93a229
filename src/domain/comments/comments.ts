import type { CommentChange, DiscussionComment, DiscussionQuery, NewComment } from '../../contract/comments.ts';
import { defaultPageLimit, type Page } from '../../contract/lists.ts';
import { includesRole } from '../../contract/roles.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { CommentRecord } from '../../store/prompts/comments.ts';
import type { PromptStores } from '../../store/prompts/prompt-transaction.ts';
import type { WithStore } from '../../store/store.ts';
import { type Actor, toPerson } from '../actor.ts';
import { decodeCursor, encodeCursor, splitPage } from '../cursors.ts';
import { newId, toStorable } from '../ids.ts';
import type { WithMail } from '../mail/mail.ts';
import { mailNotification } from '../notifications/notify.ts';
import { changePrompts, type PromptChangeStores, type WithChanges } from '../prompts/change-prompts.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';
import { assertPlainText } from '../prompts/versions/version-content.ts';
import { getRecord as getProposalRecord } from '../proposals/proposals.ts';
import { describeWorkspace } from '../workspaces/change-workspace.ts';
import { tellComment } from './comment-events.ts';
import { noticeComment } from './comment-notices.ts';
import { findPlace, type Place } from './comment-places.ts';
import { assertRoom, findSubject, getComment } from './comment-subjects.ts';
import { findMentions } from './mentions.ts';

/** Lists a page of the comments on a proposal or on the contents of a prompt: grouped by thread, the oldest thread first. */
export async function listDiscussion(
  ctx: WithStore,
  actor: Actor,
  { proposal, prompt, version, candidate, limit = defaultPageLimit, cursor }: DiscussionQuery,
): Promise<Page<DiscussionComment>> {
  if (proposal === undefined && prompt === undefined) throw invalidField('/proposal', 'Send a proposal or a prompt');
  if (prompt === undefined && (version !== undefined || candidate !== undefined)) throw invalidField('/prompt', 'Required');
  const [threadId, id] = cursor === undefined ? [] : decodeCursor('comments', 2, cursor);
  const after = threadId !== undefined && id !== undefined ? { threadId, id } : undefined;
  return ctx.store.readSnapshot(actor.workspaceId, async (stores) => {
    const filter = {
      proposalId: proposal === undefined ? undefined : (await getProposalRecord(stores, actor, proposal)).id,
      promptId: prompt === undefined ? undefined : (await getPromptRecord(stores, actor, prompt)).id,
      ...{ version, candidateId: candidate === undefined ? undefined : toStorable(candidate) },
    };
    const found = await stores.comments.list(actor.workspaceId, filter, { after, limit: limit + 1 });
    const { shown, last } = splitPage(found, limit, ({ text, anchor }) => text.length + (anchor?.quote.length ?? 0));
    return {
      data: await toComments(stores, actor, shown),
      nextCursor: last ? encodeCursor('comments', [last.threadId, last.id]) : null,
    };
  });
}

/** Adds a comment, and notifies the people whom it mentions and the people whom the thread concerns. */
export async function addComment(ctx: WithStore & WithChanges & WithMail, actor: Actor, input: NewComment): Promise<DiscussionComment> {
  const text = parseText(input.text);
  const workspace = await describeWorkspace(ctx.store, actor.workspaceId);
  const { comment, notifications } = await changePrompts(ctx, actor, async (stores, actor) => {
    const found = await findSubject(stores, actor, input);
    await assertRoom(stores, actor, found);
    const id = newId('com');
    const at = new Date().toISOString();
    const record: CommentRecord = {
      ...{ id, threadId: found.thread[0]?.id ?? id, by: toPerson(actor), at, text },
      ...{ ...found.subject, anchor: found.anchor, mentions: await readMentions(stores, actor, text) },
      ...{ editedAt: null, deletedAt: null, resolved: null },
    };
    await stores.comments.insert(actor.workspaceId, record);
    const place = await findPlace(stores, actor, record);
    // A proposal that people are discussing does not expire.
    if (place.proposal?.state === 'open') await stores.proposals.update({ ...place.proposal, updatedAt: at });
    tellComment(stores, actor, { type: 'comment.added', record, place });
    const notifications = await noticeComment(stores, { record, place, thread: found.thread, workspace });
    return { comment: toComment(record, place), notifications };
  });
  for (const notification of notifications) mailNotification(ctx, notification);
  return comment;
}

/** Changes the text of one's own comment, or resolves or reopens a thread. */
export async function changeComment(
  ctx: WithStore & WithChanges,
  actor: Actor,
  { id, text: input, resolved }: CommentChange & { id: string },
): Promise<DiscussionComment> {
  const text = input === undefined ? undefined : parseText(input);
  return changePrompts(ctx, actor, async (stores, actor) => {
    const before = await getComment(stores, actor, id);
    const isFirst = before.id === before.threadId;
    if (resolved !== undefined && !isFirst)
      throw invalidField('/resolved', 'Only the first comment of a thread can be resolved or reopened');
    if (text !== undefined && before.by.userId !== actor.accountId) {
      throw new AppError('forbidden', { text: 'Only the author can change the text of a comment' });
    }
    if (text !== undefined && before.deletedAt !== null) throw new AppError('comment_not_found');
    const at = new Date().toISOString();
    const isSame = resolved === undefined || resolved === (before.resolved !== null);
    const record: CommentRecord = {
      ...before,
      ...(text !== undefined && text !== before.text && { text, editedAt: at, mentions: await readMentions(stores, actor, text) }),
      ...(!isSame && { resolved: resolved ? { at, by: toPerson(actor) } : null }),
    };
    const place = await findPlace(stores, actor, record);
    if (record.text !== before.text || !isSame) {
      await stores.comments.update(actor.workspaceId, record);
      tellComment(stores, actor, { type: 'comment.changed', record, place, ...(!isSame && { resolved }) });
    }
    return toComment(record, place);
  });
}

/** Deletes one's own comment. Admins can delete any comment. */
export async function deleteComment(ctx: WithStore & WithChanges, actor: Actor, id: string): Promise<void> {
  await changePrompts(ctx, actor, async (stores, actor) => {
    const { workspaceId } = actor;
    const record = await getComment(stores, actor, id);
    if (record.deletedAt !== null) throw new AppError('comment_not_found');
    if (record.by.userId !== actor.accountId && !includesRole(actor.role, 'admin')) {
      throw new AppError('forbidden', { text: 'Only the author and admins can delete a comment' });
    }
    const [first, ...replies] = await stores.comments.listThread(workspaceId, record.threadId);
    if (first?.id === record.id && replies.length > 0) {
      // The replies of other people remain, so the thread needs its first comment.
      await stores.comments.update(workspaceId, { ...record, text: '', mentions: [], deletedAt: new Date().toISOString() });
    } else {
      await stores.comments.delete(workspaceId, record.id);
      if (first && first.deletedAt !== null && replies.length === 1) await stores.comments.delete(workspaceId, first.id);
    }
    tellComment(stores, actor, { type: 'comment.deleted', record: { ...record, text: '' }, place: await findPlace(stores, actor, record) });
  });
}

function parseText(text: string): string {
  assertPlainText('/text', text);
  const trimmed = text.trim();
  if (trimmed === '') throw invalidField('/text', 'Enter a comment');
  return trimmed;
}

async function readMentions({ memberships }: PromptChangeStores, { workspaceId }: Actor, text: string) {
  return text.includes('@') ? findMentions(text, await memberships.listPeople(workspaceId)) : [];
}

async function toComments(
  { prompts }: Pick<PromptStores, 'prompts'>,
  { workspaceId }: Actor,
  records: CommentRecord[],
): Promise<DiscussionComment[]> {
  const ids = [...new Set(records.flatMap(({ promptId }) => promptId ?? []))];
  const byId = new Map((await prompts.listById(workspaceId, ids)).map((prompt) => [prompt.id, prompt]));
  return records.map((record) => toComment(record, { prompt: byId.get(record.promptId ?? '') }));
}

function toComment(record: CommentRecord, { prompt }: Pick<Place, 'prompt'>): DiscussionComment {
  const { id, threadId, proposalId, promptId, version, candidateId, anchor, text, mentions, by, at, editedAt, deletedAt, resolved } =
    record;
  return {
    ...{ id, thread: threadId, proposal: proposalId },
    prompt: promptId === null ? null : { id: promptId, name: prompt?.name ?? '' },
    ...{ version, candidate: candidateId, anchor, text, mentions, by, at, editedAt, deletedAt, resolved },
  };
}
