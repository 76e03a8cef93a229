import type { CommentPart } from '../../../src/contract/comment-parts.ts';
import type { DiscussionComment } from '../lib/types.ts';

/** A version or a candidate of a prompt. */
export type CommentedContent = { prompt: string; version: number } | { prompt: string; candidate: string };

/** A comment with its replies. */
export interface Thread {
  first: DiscussionComment;
  replies: DiscussionComment[];
}

/** Groups comments, which the service lists thread by thread. */
export function toThreads(comments: DiscussionComment[]): Thread[] {
  const threads = new Map<string, Thread>();
  for (const comment of comments) {
    const thread = threads.get(comment.thread);
    if (thread) thread.replies.push(comment);
    else threads.set(comment.thread, { first: comment, replies: [] });
  }
  return [...threads.values()];
}

/**
 * Finds the line that a thread is about: the nearest one with the text that it had. The content of a candidate may have changed since then,
 * so there may be none.
 */
export function findLine({ first: { anchor } }: Thread, part: CommentPart, text: string): number | undefined {
  if (anchor?.part !== part) return undefined;
  const distance = (line: number) => Math.abs(line - anchor.line);
  const same = text.split('\n').flatMap((line, index) => (line === anchor.quote ? [index + 1] : []));
  return same.sort((one, other) => distance(one) - distance(other))[0];
}

/** Splits the text of a comment at the names that it mentions. */
export function splitMentions({ text, mentions }: Pick<DiscussionComment, 'text' | 'mentions'>): { text: string; isMention: boolean }[] {
  const parts: { text: string; isMention: boolean }[] = [];
  const names = mentions.map(({ name }) => `@${name}`).sort((one, other) => other.length - one.length);
  let plain = '';
  for (let at = 0; at < text.length; ) {
    const name = names.find((each) => text.startsWith(each, at));
    if (name !== undefined) {
      parts.push({ text: plain, isMention: false }, { text: name, isMention: true });
      plain = '';
    } else plain += text[at];
    at += name?.length ?? 1;
  }
  return [...parts, { text: plain, isMention: false }].filter((part) => part.text !== '');
}
