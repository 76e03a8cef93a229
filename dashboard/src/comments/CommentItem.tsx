import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../lib/api.ts';
import { formatAgo, formatDateTime } from '../lib/format.ts';
import { sessionQuery } from '../lib/session.ts';
import type { DiscussionComment } from '../lib/types.ts';
import { mayEdit, mayManage, useWorkspace } from '../lib/workspace.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import { toastFailure } from '../ui/toasts.ts';
import { changeComment, deleteComment } from './actions.ts';
import { CommentForm } from './CommentForm.tsx';
import { splitMentions } from './threads.ts';

/** One comment, with the actions that the user may take. */
export function CommentItem({ comment }: { comment: DiscussionComment }) {
  const { id, by, at, text, editedAt, deletedAt } = comment;
  const workspace = useWorkspace();
  const { data: user } = useQuery(sessionQuery);
  const [editing, setEditing] = useState(false);
  const isMine = by.userId === user?.userId && mayEdit(workspace);
  const remove = () => deleteComment(id).catch((err: unknown) => toastFailure(messageOf(err)));
  return (
    <article aria-label={`Comment by ${by.name}`} className="flex items-start gap-3">
      <Avatar userId={by.userId ?? ''} name={by.name} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium">{by.name}</span>
          <span className="text-ink-3 text-xs">
            <time dateTime={at} title={formatDateTime(at)}>
              {formatAgo(at)}
            </time>
            {by.via === 'api' && ' · via API'}
            {editedAt !== null && ' · edited'}
          </span>
        </p>
        {editing ? (
          <CommentForm
            label="Edit comment"
            action="Save"
            draftKey={`edit ${id}`}
            initial={text}
            autoFocus
            onSend={async (changed) => {
              await changeComment(id, { text: changed });
              setEditing(false);
            }}
            onCancel={() => setEditing(false)}
          />
        ) : (
          <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
            {deletedAt === null ? <Text comment={comment} /> : <span className="text-ink-3">This comment was deleted.</span>}
          </p>
        )}
        {deletedAt === null && !editing && (isMine || mayManage(workspace)) && (
          <p className="-ml-2 flex flex-wrap">
            {isMine && (
              <Button size="sm" kind="ghost" onClick={() => setEditing(true)}>
                Edit
              </Button>
            )}
            <Button size="sm" kind="ghost" onClick={remove}>
              Delete
            </Button>
          </p>
        )}
      </div>
    </article>
  );
}

function Text({ comment }: { comment: DiscussionComment }) {
  return splitMentions(comment).map(({ text, isMention }, index) =>
    isMention ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of the text have no other identity.
      <strong key={index} className="rounded-sm bg-accent-soft px-0.5 font-medium text-accent-ink">
        {text}
      </strong>
    ) : (
      text
    ),
  );
}
