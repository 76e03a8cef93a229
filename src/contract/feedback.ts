import { type Static, Type } from 'typebox';
import { labelPattern, maxCategoryLength, maxCommentLength, maxResultIdLength } from './limits.ts';
import { listOf, pageParameters } from './lists.ts';
import { promptName, reportedKey, responseId, scoreName, traceId, versionNumber } from './results.ts';
import { bodyOf, exactObject, objectOf, orNull, queryOf } from './shapes.ts';

const value = Type.Union([Type.Number(), Type.Boolean(), Type.String({ minLength: 1, maxLength: maxCategoryLength })], {
  description: 'A number, true or false, or the name of a category. Values of different types under one name are separate scores.',
});
const comment = Type.Optional(Type.String({ maxLength: maxCommentLength, description: 'Kept for 90 days and shown with the results.' }));
const id = Type.Optional(
  Type.String({ minLength: 1, maxLength: maxResultIdLength, description: 'Feedback that is sent again with the same id is counted once.' }),
);

export const Feedback = bodyOf(
  'Feedback',
  { prompt: 'support/triage', traceId: '0af7651916cd43dd8448eb211c80319c', name: 'helpful', value: true },
  {
    prompt: promptName,
    version: Type.Optional(versionNumber),
    label: Type.Optional(
      Type.String({
        pattern: labelPattern,
        description: 'The label with which the prompt was fetched. Without a version, the default is `production`.',
      }),
    ),
    traceId: Type.Optional(traceId),
    responseId: Type.Optional(responseId),
    key: Type.Optional(
      reportedKey(
        'The key with which the prompt was fetched, if neither `traceId` nor `responseId` is sent. If the label has a release, the score counts for ' +
          'the release, and the default version is the one that the weights assign to the key. Only a hash of the key is kept.',
      ),
    ),
    name: scoreName,
    value,
    comment,
    id,
  },
);
export type Feedback = Static<typeof Feedback>;

export const BrowserFeedback = bodyOf(
  'BrowserFeedback',
  { token: 'pf_eyJ3IjoidV9tIn0.c2lnbmF0dXJl', name: 'helpful', value: true },
  { token: Type.String({ maxLength: 2000 }), name: scoreName, value, comment, id },
);
export type BrowserFeedback = Static<typeof BrowserFeedback>;

export const FeedbackTokenRequest = bodyOf(
  'FeedbackTokenRequest',
  { prompt: 'support/triage', version: 3 },
  {
    prompt: promptName,
    version: Type.Optional(versionNumber),
    label: Type.Optional(Type.String({ pattern: labelPattern })),
    key: Type.Optional(
      reportedKey(
        'The key with which the prompt was fetched. If the label has a release, the feedback counts for the release, and the default version is the ' +
          'one that the weights assign to the key. The token contains only a hash of the key.',
      ),
    ),
  },
);
export type FeedbackTokenRequest = Static<typeof FeedbackTokenRequest>;

export const FeedbackToken = objectOf(
  'FeedbackToken',
  { token: 'pf_eyJ3IjoidV9tIn0.c2lnbmF0dXJl', expiresAt: '2026-03-02T14:00:00.000Z' },
  { token: Type.String(), expiresAt: Type.String() },
);
export type FeedbackToken = Static<typeof FeedbackToken>;

export const FeedbackReceipt = exactObject({});
export type FeedbackReceipt = Static<typeof FeedbackReceipt>;

export const CommentQuery = queryOf({
  ...pageParameters,
  version: Type.Integer({ minimum: 1, description: 'Only comments on this version are listed.' }),
});
export type CommentQuery = Static<typeof CommentQuery>;

const Comment = objectOf(
  'Comment',
  {
    id: 'fb_mhz1k3p0_0005f0c9a7e21d4b836',
    at: '2026-03-01T13:59:58.120Z',
    version: 3,
    label: 'production',
    name: 'helpful',
    value: 'false',
    comment: 'It answered in French.',
  },
  {
    id: Type.String(),
    at: Type.String(),
    version: orNull(Type.Integer()),
    label: orNull(Type.String()),
    name: Type.String({ description: 'The name of the score.' }),
    value: Type.String({ description: 'The value of the score, as text.' }),
    comment: Type.String(),
  },
);

export const CommentPage = listOf('CommentPage', Comment);
export type CommentPage = Static<typeof CommentPage>;
