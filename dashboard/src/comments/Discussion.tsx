import { useQuery } from '@tanstack/react-query';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { Problem } from '../ui/Problem.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { addComment } from './actions.ts';
import { CommentForm } from './CommentForm.tsx';
import { commentsQuery } from './queries.ts';
import { ThreadView } from './ThreadView.tsx';
import { toThreads } from './threads.ts';

/** The comments that are about a proposal as a whole. Comments on its contents are shown below the lines that they are about. */
export function Discussion({ proposal }: { proposal: string }) {
  const canEdit = mayEdit(useWorkspace());
  const comments = useQuery(commentsQuery({ proposal }));
  const threads = toThreads(comments.data ?? []).filter(({ first }) => first.prompt === null);
  return (
    <section aria-label="Discussion" className="space-y-3">
      <h2 className="font-semibold text-base">Discussion</h2>
      {comments.isPending && <Skeleton className="h-16 w-full" />}
      {comments.isError && <Problem error={comments.error} onRetry={() => comments.refetch()} />}
      {comments.isSuccess && threads.length === 0 && <p className="text-ink-3">Nobody has commented yet.</p>}
      {threads.map((thread) => (
        <ThreadView key={thread.first.id} thread={thread} proposal={proposal} />
      ))}
      {canEdit && (
        <CommentForm label="Comment" action="Add comment" draftKey={proposal} onSend={(text) => addComment({ proposal, text })} />
      )}
    </section>
  );
}
