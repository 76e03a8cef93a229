// This file is separate from the schemas, so that the dashboard can import it without TypeBox.

/** The parts of a content whose lines people comment on: the template or the messages, and everything that is compared as JSON. */
export const commentParts = ['text', 'variables', 'tools', 'output', 'config'] as const;
export type CommentPart = (typeof commentParts)[number];
