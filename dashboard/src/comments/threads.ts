import { type CommentPart, toQuote } from '../../../src/contract/comment-parts.ts';
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

/** The line numbers at which each quote occurs. */
export type LineIndex = ReadonlyMap<string, number[]>;

/** Indexes the text once for all its threads, because the text and the list of threads may both be long. */
export function indexLines(text: string): LineIndex {
  const lines = new Map<string, number[]>();
  for (const [index, line] of text.split('\n').entries()) {
    const numbers = lines.get(toQuote(line));
    if (numbers) numbers.push(index + 1);
    else lines.set(toQuote(line), [index + 1]);
  }
  return lines;
}

/**
 * Finds the line that a thread is about: the nearest line with the quoted text. The content of a candidate may have changed since the
 * comment, so there may be no such line.
 */
export function findLine({ first: { anchor } }: Thread, part: CommentPart, lines: LineIndex): number | undefined {
  if (anchor?.part !== part) return undefined;
  const numbers = lines.get(toQuote(anchor.quote)) ?? [];
  const next = numbers.findIndex((line) => line >= anchor.line);
  const [before, after] = next < 0 ? [numbers.at(-1)] : [numbers[next - 1], numbers[next]];
  if (before === undefined || after === undefined) return before ?? after;
  return anchor.line - before <= after - anchor.line ? before : after;
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
