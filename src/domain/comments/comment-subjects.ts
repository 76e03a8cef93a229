import { toQuote } from '../../contract/comment-parts.ts';
import type { NewComment } from '../../contract/comments.ts';
import { maxPromptComments, maxProposalComments, maxThreadComments, maxWorkspaceComments } from '../../contract/limits.ts';
import { AppError, invalidField, versionNotFound } from '../../errors.ts';
import type { CommentRecord, CommentSubject } from '../../store/prompts/comments.ts';
import type { PromptStores } from '../../store/prompts/prompt-transaction.ts';
import type { Actor } from '../actor.ts';
import { toStorable } from '../ids.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';
import { getRecord as getProposalRecord } from '../proposals/proposals.ts';
import { findLine } from './content-lines.ts';

/** The subject of a new comment, and the earlier comments of its thread. */
export interface FoundSubject {
  subject: CommentSubject;
  anchor: CommentRecord['anchor'];
  thread: CommentRecord[];
}

type SubjectStores = Pick<PromptStores, 'prompts' | 'versions' | 'candidates' | 'proposals' | 'comments'>;

/** Finds the subject of a comment. Throws if the subject does not exist in the workspace. */
export async function findSubject(stores: SubjectStores, actor: Actor, input: NewComment): Promise<FoundSubject> {
  assertSubject(input);
  if (input.replyTo !== undefined) {
    const { threadId } = await getComment(stores, actor, input.replyTo);
    const thread = await stores.comments.listThread(actor.workspaceId, threadId);
    const [first] = thread;
    if (!first) throw new AppError('comment_not_found');
    const { proposalId, promptId, version, candidateId, anchor } = first;
    return { subject: { proposalId, promptId, version, candidateId }, anchor, thread };
  }
  const { proposal: id, prompt: name } = input;
  const proposal = id === undefined ? undefined : await getProposalRecord(stores, actor, id);
  const proposalId = proposal?.id ?? null;
  if (name === undefined) return { subject: { proposalId, promptId: null, version: null, candidateId: null }, anchor: null, thread: [] };
  const prompt = await getPromptRecord(stores, actor, name);
  if (proposal && !proposal.changes.some(({ promptId }) => promptId === prompt.id)) {
    throw invalidField('/prompt', 'The proposal does not change this prompt');
  }
  const content = await findContent(stores, { accountId: actor.workspaceId, promptId: prompt.id }, input);
  const quote = input.anchor && findLine(prompt.type, content.record, input.anchor);
  if (input.anchor && quote === undefined) throw invalidField('/anchor/line', 'The part has no such line');
  const anchor = input.anchor && quote !== undefined ? { ...input.anchor, quote: toQuote(quote) } : null;
  return { subject: { proposalId, promptId: prompt.id, ...content.subject }, anchor, thread: [] };
}

/** Throws if fields were sent that exclude each other, or if a required field is missing. */
function assertSubject({ proposal, prompt, version, candidate, anchor, replyTo }: NewComment): void {
  if (replyTo !== undefined) {
    if ([proposal, prompt, version, candidate, anchor].some((field) => field !== undefined)) {
      throw invalidField('/replyTo', 'A reply is about the subject of its thread, so send only text');
    }
    return;
  }
  if (proposal === undefined && prompt === undefined) throw invalidField('/proposal', 'Send a proposal, a prompt or replyTo');
  if (prompt !== undefined && (version === undefined) === (candidate === undefined)) {
    throw invalidField('/version', 'Send exactly one of version and candidate');
  }
  if (prompt === undefined && (version !== undefined || candidate !== undefined || anchor !== undefined)) {
    throw invalidField('/prompt', 'Required');
  }
}

async function findContent(
  { versions, candidates }: SubjectStores,
  owner: { accountId: string; promptId: string },
  { version, candidate }: NewComment,
) {
  if (version !== undefined) {
    const record = await versions.find(owner.accountId, owner.promptId, version);
    if (!record) throw versionNotFound(version);
    return { record, subject: { version, candidateId: null } };
  }
  const record = await candidates.find(owner, toStorable(candidate ?? ''));
  if (!record) throw new AppError('candidate_not_found');
  return { record, subject: { version: null, candidateId: record.id } };
}

/** Throws `quota_exceeded` if a thread, a proposal, a prompt or the workspace has too many comments. */
export async function assertRoom(
  { comments }: Pick<PromptStores, 'comments'>,
  { workspaceId }: Actor,
  { subject: { proposalId, promptId }, thread }: FoundSubject,
): Promise<void> {
  const limits = [
    { what: 'A thread', max: maxThreadComments, count: async () => thread.length },
    { what: 'A proposal', max: maxProposalComments, count: async () => (proposalId ? comments.count(workspaceId, { proposalId }) : 0) },
    { what: 'A prompt', max: maxPromptComments, count: async () => (promptId ? comments.count(workspaceId, { promptId }) : 0) },
    { what: 'A workspace', max: maxWorkspaceComments, count: async () => comments.count(workspaceId, {}) },
  ];
  for (const { what, max, count } of limits) {
    if ((await count()) >= max) throw new AppError('quota_exceeded', { text: `${what} can have at most ${max} comments` });
  }
}

export async function getComment({ comments }: Pick<PromptStores, 'comments'>, { workspaceId }: Actor, id: string): Promise<CommentRecord> {
  const record = await comments.find(workspaceId, toStorable(id));
  if (!record) throw new AppError('comment_not_found');
  return record;
}
