import type { EventType } from '../../contract/events.ts';
import type { CommentRecord } from '../../store/prompts/comments.ts';
import { type Actor, toPerson } from '../actor.ts';
import { newId } from '../ids.ts';
import type { PromptChangeStores } from '../prompts/change-prompts.ts';
import type { Place } from './comment-places.ts';

interface ToldComment {
  type: Extract<EventType, `comment.${string}`>;
  record: CommentRecord;
  place: Place;
  /** Whether the thread was resolved or reopened. Undefined if the change did neither. */
  resolved?: boolean | undefined;
}

/** Adds an event about a comment, and its entry in the activity of the workspace. The activity never contains the text. */
export function tellComment(
  { events, activity }: Pick<PromptChangeStores, 'events' | 'activity'>,
  actor: Actor,
  { type, record, place, resolved }: ToldComment,
): void {
  const at = new Date().toISOString();
  const by = toPerson(actor);
  const { id, threadId, proposalId, version, candidateId, anchor, text } = record;
  const where = {
    ...(proposalId !== null && { proposal: proposalId }),
    ...(version !== null && { version }),
    ...(candidateId !== null && { candidate: candidateId }),
    ...(anchor && { part: anchor.part, line: anchor.line }),
  };
  const comment = { id, thread: threadId, ...where, ...(text !== '' && { text }), ...(resolved !== undefined && { resolved }) };
  const prompt = place.prompt ? { id: place.prompt.id, name: place.prompt.name } : null;
  events.add({ type, at, by, prompt, detail: JSON.stringify({ comment }) });
  const entry = { id: newId('e'), at, by, detail: { comment: { ...where, ...(prompt && { prompt: prompt.name }) } } };
  if (type === 'comment.added') activity.add({ ...entry, type: threadId === id ? 'comment_added' : 'comment_replied' });
  if (type === 'comment.deleted') activity.add({ ...entry, type: 'comment_deleted' });
  if (resolved !== undefined) activity.add({ ...entry, type: resolved ? 'comment_resolved' : 'comment_reopened' });
}
