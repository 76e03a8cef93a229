import type { Mention } from '../../contract/comments.ts';
import { maxMentions } from '../../contract/limits.ts';

/** A member who can be mentioned. */
export interface Mentionable {
  userId: string;
  name: string;
  email: string;
}

/** The maximum number of `@` in a comment that are compared with the members. */
const maxCompared = 50;

/**
 * Finds the members whom a comment mentions by `@` and a name or an email address. The longest match counts. If several members have the
 * same name, all of them are mentioned.
 */
export function findMentions(text: string, members: Mentionable[]): Mention[] {
  const mentions = new Map<string, Mention>();
  // A letter, digit or period before `@` belongs to an email address, which mentions nobody.
  for (const { index } of [...text.matchAll(/(?<![\p{L}\p{N}._%+-])@/gu)].slice(0, maxCompared)) {
    for (const { userId, name } of findLongest(text.slice(index + 1), members)) {
      if (mentions.size < maxMentions && !mentions.has(userId)) mentions.set(userId, { userId, name });
    }
  }
  return [...mentions.values()];
}

function findLongest(text: string, members: Mentionable[]): Mention[] {
  let longest: Mention[] = [];
  for (const { userId, name, email } of members) {
    for (const written of [name, email]) {
      const length = longest[0]?.name.length ?? 1;
      if (written.length < length || !startsWith(text, written)) continue;
      const mention = { userId, name: text.slice(0, written.length) };
      longest = written.length === longest[0]?.name.length ? [...longest, mention] : [mention];
    }
  }
  return longest;
}

function startsWith(text: string, written: string): boolean {
  return text.slice(0, written.length).toLowerCase() === written.toLowerCase() && !/^[\p{L}\p{N}_]/u.test(text.slice(written.length));
}
