// This file is separate from the schemas, so that the dashboard can import it without TypeBox.

/** The parts of content whose lines people comment on: the template or the messages, and everything that is compared as JSON. */
export const commentParts = ['text', 'variables', 'tools', 'output', 'config'] as const;
export type CommentPart = (typeof commentParts)[number];

/** A quote identifies a line. Content may consist of one line of any length, and each reply to a comment stores the quote again. */
const maxQuoteLength = 1000;

/** Returns the quote of a line, which a comment on the line stores. */
export function toQuote(line: string): string {
  return line.slice(0, maxQuoteLength).toWellFormed();
}
