import { type Static, Type } from 'typebox';
import { commentParts } from './comment-parts.ts';
import { maxCommentTextLength, maxPromptNameLength } from './limits.ts';
import { listOf, pageParameters } from './lists.ts';
import { examplePerson, Person } from './people.ts';
import { bodyOf, changeOf, exactObject, objectOf, orNull, queryOf } from './shapes.ts';
import { VersionNumber } from './versions.ts';

// A comment is about a proposal, a version or a candidate, or about one line of a version or candidate.

const Part = Type.Enum([...commentParts], {
  description: 'The part of the content. `text` is the template, or the messages as in a diff. The others are indented JSON.',
});
const Line = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'The number of the line in the part. The first line is 1.' });
const Text = Type.String({
  minLength: 1,
  maxLength: maxCommentTextLength,
  description: '`@` with the name or email address of a member mentions this member.',
});
const Id = Type.String({ maxLength: 100 });

const Mention = Type.Object({
  userId: Type.String(),
  name: Type.String({ description: 'The name or email address, as it appears in the text after `@`.' }),
});
export type Mention = Static<typeof Mention>;

const exampleComment = {
  id: 'com_mi4w7x2c_000a1d4b8365f0c9a7e',
  thread: 'com_mi4w7x2c_000a1d4b8365f0c9a7e',
  proposal: null,
  prompt: { id: 'p_mhz1k3p0_0005f0c9a7e21d4b836', name: 'support/triage' },
  version: 4,
  candidate: null,
  anchor: { part: 'text', line: 2, quote: 'Answer with one word.' },
  text: '@Grace Hopper Is one word enough?',
  mentions: [{ userId: 'u_mi4w7x2c_0005f0c9a7e21d4b836', name: 'Grace Hopper' }],
  by: examplePerson,
  at: '2026-11-15T08:30:00.000Z',
  editedAt: null,
  deletedAt: null,
  resolved: null,
};
export const DiscussionComment = objectOf('DiscussionComment', exampleComment, {
  id: Type.String({ description: 'Starts with `com_`.' }),
  thread: Type.String({ description: 'The id of the first comment of the thread.' }),
  proposal: orNull(Type.String(), 'The proposal to which the comment belongs.'),
  prompt: orNull(
    Type.Object({ id: Type.String(), name: Type.String({ description: 'Empty if the prompt is in the bin.' }) }),
    'The prompt of the version or candidate. Null if the comment is about a proposal as a whole.',
  ),
  version: orNull(Type.Integer()),
  candidate: orNull(Type.String()),
  anchor: orNull(
    Type.Object({ part: Part, line: Line, quote: Type.String({ description: 'The text of the line when the comment was made.' }) }),
    'The line that the comment is about. Null if it is about the whole content.',
  ),
  text: Type.String(),
  mentions: Type.Array(Mention),
  by: Person,
  at: Type.String(),
  editedAt: orNull(Type.String()),
  deletedAt: orNull(
    Type.String(),
    'When the comment was deleted. A deleted comment remains only as the first of a thread with replies, and without its text.',
  ),
  resolved: orNull(
    Type.Object({ at: Type.String(), by: Person }),
    'When and by whom the thread was resolved. Only the first comment of a thread has this field.',
  ),
});
export type DiscussionComment = Static<typeof DiscussionComment>;
export const CommentThreads = listOf('CommentThreads', DiscussionComment);

const PromptName = Type.String({ maxLength: maxPromptNameLength, description: 'The name of the prompt.' });
export const DiscussionQuery = queryOf({
  proposal: Type.String({ ...Id, description: 'Only comments that belong to this proposal.' }),
  prompt: Type.String({ ...PromptName, description: 'Only comments on the versions and candidates of this prompt.' }),
  version: Type.Integer({ ...VersionNumber, description: 'Only comments on this version of the prompt.' }),
  candidate: Type.String({ ...Id, description: 'Only comments on this candidate of the prompt.' }),
  ...pageParameters,
});
export type DiscussionQuery = Static<typeof DiscussionQuery>;

export const NewComment = bodyOf(
  'NewComment',
  { prompt: 'support/triage', version: 4, anchor: { part: 'text', line: 2 }, text: exampleComment.text },
  {
    text: Text,
    proposal: Type.Optional(
      Type.String({ ...Id, description: 'The proposal. With `prompt`, the comment is also about its version or candidate.' }),
    ),
    prompt: Type.Optional(PromptName),
    version: Type.Optional(Type.Integer({ ...VersionNumber, description: 'The version of the prompt.' })),
    candidate: Type.Optional(Type.String({ ...Id, description: 'The id of a candidate of the prompt, instead of a version.' })),
    anchor: Type.Optional(exactObject({ part: Part, line: Line })),
    replyTo: Type.Optional(Type.String({ ...Id, description: 'The id of a comment in the thread to reply to. Then send only `text`.' })),
  },
);
export type NewComment = Static<typeof NewComment>;

export const CommentChange = changeOf(
  'CommentChange',
  { resolved: true },
  {
    text: Type.String({ ...Text, description: 'The new text. Only the author can change it. Nobody is notified.' }),
    resolved: Type.Boolean({ description: 'Resolves or reopens the thread. Only for the first comment of a thread.' }),
  },
);
export type CommentChange = Static<typeof CommentChange>;
