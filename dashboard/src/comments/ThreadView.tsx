import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf } from '../lib/api.ts';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { Button } from '../ui/Button.tsx';
import { toastFailure } from '../ui/toasts.ts';
import { addComment, changeComment } from './actions.ts';
import { CommentForm } from './CommentForm.tsx';
import { CommentItem } from './CommentItem.tsx';
import type { Thread } from './threads.ts';

interface ThreadViewProps {
  thread: Thread;
  /** Whether to quote the line that the thread is about, because the thread is not next to that line. */
  hasQuote?: boolean;
  /** The proposal, if the thread is on a proposal's page. */
  proposal?: string | undefined;
}

/** A comment with its replies. A resolved thread is closed at first. */
export function ThreadView({ thread: { first, replies }, hasQuote = false, proposal }: ThreadViewProps) {
  const canEdit = mayEdit(useWorkspace());
  const [replying, setReplying] = useState(false);
  const [shown, setShown] = useState(false);
  const { id, anchor, resolved } = first;
  const resolve = () => changeComment(id, { resolved: resolved === null }).catch((err: unknown) => toastFailure(messageOf(err)));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of one form.
    <div role="group" aria-label={`Thread by ${first.by.name}`} className="space-y-3 rounded-md border border-line bg-surface p-3 text-sm">
      {hasQuote && anchor && (
        <p className="text-ink-2 text-xs">
          On line {anchor.line}
          {anchor.part === 'text' ? '' : ` of the ${anchor.part}`}: <code className="wrap-anywhere">{anchor.quote}</code>
        </p>
      )}
      {first.proposal !== null && first.proposal !== proposal && (
        <p className="text-xs">
          <Link
            to="/dashboard/proposals/$id"
            params={{ id: first.proposal }}
            className="rounded-sm font-medium text-accent-ink underline underline-offset-3"
          >
            From a proposal
          </Link>
        </p>
      )}
      {resolved !== null && !shown ? (
        <p className="flex flex-wrap items-center gap-2 text-ink-2">
          {resolved.by.name} resolved this thread.
          <Button size="sm" kind="ghost" onClick={() => setShown(true)}>
            Show
          </Button>
        </p>
      ) : (
        <>
          {[first, ...replies].map((comment) => (
            <CommentItem key={comment.id} comment={comment} />
          ))}
          {replying && (
            <CommentForm
              label="Reply"
              action="Reply"
              draftKey={`reply ${id}`}
              autoFocus
              onSend={async (text) => {
                await addComment({ replyTo: id, text });
                setReplying(false);
              }}
              onCancel={() => setReplying(false)}
            />
          )}
          {canEdit && !replying && (
            <div className="flex flex-wrap gap-2">
              <Button size="sm" onClick={() => setReplying(true)}>
                Reply
              </Button>
              <Button size="sm" onClick={resolve}>
                {resolved === null ? 'Resolve' : 'Reopen'}
              </Button>
            </div>
          )}
        </>
      )}
    </div>
  );
}
