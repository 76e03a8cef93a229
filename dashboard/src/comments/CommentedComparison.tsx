import { ContentComparison, listChangedParts } from '../editor/drafts/ContentComparison.tsx';
import type { Draft } from '../editor/drafts/draft.ts';
import type { PromptType } from '../lib/types.ts';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { addComment } from './actions.ts';
import { CommentForm } from './CommentForm.tsx';
import { ThreadView } from './ThreadView.tsx';
import type { CommentedContent } from './threads.ts';
import { useContentComments } from './use-content-comments.tsx';

interface Side {
  title: string;
  draft: Draft;
  /** The content on which people can comment. Undefined if there is none. */
  content: CommentedContent | undefined;
}

interface CommentedComparisonProps {
  type: PromptType;
  before: Side;
  after: Side;
  /** The proposal, if the comparison is on a proposal's page. There, the comments that are not about a line are shown in one place. */
  proposal?: string;
}

/** Compares two contents, and lets people comment on their lines. Threads about lines that are not shown follow below. */
export function CommentedComparison({ type, before, after, proposal }: CommentedComparisonProps) {
  const canEdit = mayEdit(useWorkspace());
  const beforeComments = useContentComments({ content: before.content, title: before.title, proposal });
  const afterComments = useContentComments({ content: after.content, title: after.title, proposal });
  const parts = listChangedParts(type, before.draft, after.draft);
  const others = [
    ...beforeComments
      .findOthers(Object.fromEntries(parts.map(({ part, textBefore }) => [part, textBefore])))
      .filter(({ first }) => first.anchor),
    ...afterComments.findOthers(Object.fromEntries(parts.map(({ part, textAfter }) => [part, textAfter]))),
  ];
  const { content } = after;
  return (
    <div className="space-y-3">
      <ContentComparison
        type={type}
        before={{ ...before, annotate: beforeComments.annotate }}
        after={{ ...after, annotate: afterComments.annotate }}
      />
      {others.map((thread) => (
        <ThreadView key={thread.first.id} thread={thread} hasQuote proposal={proposal} />
      ))}
      {canEdit && content && proposal === undefined && (
        <CommentForm
          key={JSON.stringify(content)}
          label={`Comment on ${after.title.toLowerCase()}`}
          action="Add comment"
          draftKey={JSON.stringify(content)}
          onSend={(text) => addComment({ ...content, text })}
        />
      )}
    </div>
  );
}
