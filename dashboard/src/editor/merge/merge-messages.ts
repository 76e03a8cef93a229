import type { Message } from '../../lib/types.ts';
import { mergeText, type Sides } from './merge-text.ts';
import { alignThreeWays, type Hunk, settle } from './three-way.ts';

/** Consecutive messages. If `mine` is `theirs`, both sides agree on the messages. */
export interface MergedMessages {
  /** The messages of the version that both sides started from. */
  base: Message[];
  mine: Message[];
  theirs: Message[];
  /** The position of the first message on each side, counted from 1. */
  places: { mine: number; theirs: number };
  /** The text to edit if both sides have changed the same message: theirs, then mine. */
  both?: string;
}

/** Merges messages. Where both sides have changed the same message, merges its lines. */
export function mergeMessages({ base, mine, theirs }: Sides<Message[]>): MergedMessages[] {
  // Equal messages are represented by one object, so that messages are compared by content.
  const known = new Map<string, Message>();
  const unique = (messages: Message[]) =>
    messages.map((message) => {
      const key = JSON.stringify('placeholder' in message ? [message.placeholder] : [message.role, message.content]);
      if (!known.has(key)) known.set(key, message);
      return known.get(key) ?? message;
    });
  const sides = { base: unique(base), mine: unique(mine), theirs: unique(theirs) };
  const places = { mine: 1, theirs: 1 };
  return alignThreeWays(sides, { touchingOverlaps: false, split: splitByMessage }).map((slot) => {
    const merged = { base: slot.base, places: { ...places }, ...mergeSlot(slot) };
    places.mine += slot.mine.length;
    places.theirs += slot.theirs.length;
    return merged;
  });
}

type Merged = Pick<MergedMessages, 'mine' | 'theirs' | 'both'>;

function mergeSlot(slot: Sides<Message[]>): Merged {
  const settled = settle(slot);
  if (settled) return { mine: settled, theirs: settled };
  const { base, mine, theirs } = slot;
  const [before, own, other] = [base[0], mine[0], theirs[0]];
  const isOneEach = Math.max(base.length, mine.length, theirs.length) === 1;
  return isOneEach && isText(before) && isText(own) && isText(other) ? mergeMessage({ base: before, mine: own, theirs: other }) : slot;
}

/** A message that contains only text, which can be merged by line. */
type TextMessage = { role: string; content: string };

function mergeMessage({ base, mine, theirs }: Sides<TextMessage>): Merged {
  const content = mergeText({ base: base.content, mine: mine.content, theirs: theirs.content });
  const [role = mine.role] = settle({ base: [base.role], mine: [mine.role], theirs: [theirs.role] }) ?? [];
  const hasRoleConflict = role === mine.role && mine.role !== theirs.role && theirs.role !== base.role;
  const merged: Message[] = [{ role, content: content.mine }];
  if (!hasRoleConflict && content.mine === content.theirs) return { mine: merged, theirs: merged };
  const others: Message[] = [{ role: hasRoleConflict ? theirs.role : role, content: content.theirs }];
  return { mine: merged, theirs: others, both: content.both };
}

function isText(message: Message | undefined): message is TextMessage {
  return message !== undefined && 'content' in message && typeof message.content === 'string';
}

/**
 * Splits a change of several messages into changes of one message each. If the number of messages has changed, messages with the same role
 * are matched.
 */
function splitByMessage({ from, items }: Hunk<Message>, removed: Message[]): Hunk<Message>[] {
  if (removed.length === items.length) return items.map((item, index) => ({ from: from + index, to: from + index + 1, items: [item] }));
  const hunks: Hunk<Message>[] = [];
  let next = 0;
  for (const [index, message] of removed.entries()) {
    const at = from + index;
    const found = items.findIndex((item, place) => place >= next && roleOf(item) === roleOf(message));
    if (found > next) hunks.push({ from: at, to: at, items: items.slice(next, found) });
    hunks.push({ from: at, to: at + 1, items: found === -1 ? [] : items.slice(found, found + 1) });
    if (found !== -1) next = found + 1;
  }
  const end = from + removed.length;
  return next < items.length ? [...hunks, { from: end, to: end, items: items.slice(next) }] : hunks;
}

function roleOf(message: Message): string | undefined {
  return 'role' in message ? message.role : undefined;
}
