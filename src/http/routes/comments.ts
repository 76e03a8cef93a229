import { CommentChange, CommentThreads, DiscussionComment, DiscussionQuery, NewComment } from '../../contract/comments.ts';
import { addComment, changeComment, deleteComment, listDiscussion } from '../../domain/comments/comments.ts';
import { actorOf } from '../middleware/authentication.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

/** Comments on proposals, versions and candidates, and on their lines. */
export const commentRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Comments' });

  route('GET', '/api/comments', {
    operationId: 'listDiscussion',
    summary: 'List comments grouped by thread, oldest first',
    description: 'Send `proposal`, or `prompt` with or without `version` or `candidate`. The replies of a thread follow its first comment.',
    querystring: DiscussionQuery,
    response: { 200: CommentThreads },
    handler: (req) => listDiscussion(ctx, actorOf(req), req.query),
  });

  route('POST', '/api/comments', {
    operationId: 'addComment',
    summary: 'Add a comment, or reply to one',
    description:
      'A comment is about a proposal (`proposal`), about a version or candidate (`prompt` with `version` or `candidate`), or about both, ' +
      'to comment on the content of a proposal. `anchor` names a line of the version or candidate. A thread can have up to 100 comments, a proposal 500, a prompt ' +
      '2,000 and a workspace 50,000.',
    body: NewComment,
    response: { 201: DiscussionComment },
    handler: (req) => addComment(ctx, actorOf(req), req.body),
  });

  route('PATCH', '/api/comments/:id', {
    operationId: 'changeComment',
    summary: 'Change your own comment, or resolve or reopen a thread',
    body: CommentChange,
    response: { 200: DiscussionComment },
    handler: (req) => changeComment(ctx, actorOf(req), { ...req.params, ...req.body }),
  });

  route('DELETE', '/api/comments/:id', {
    operationId: 'deleteComment',
    summary: 'Delete your own comment, or any comment as an admin',
    description: 'The first comment of a thread that has replies remains without its text.',
    response: noContent,
    handler: async (req) => deleteComment(ctx, actorOf(req), req.params.id),
  });
};
