import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CommentPart } from '../../../src/contract/comment-parts.ts';
import type { SideAnnotations } from '../editor/code/Comparison.tsx';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { addComment } from './actions.ts';
import { CommentForm } from './CommentForm.tsx';
import { commentsQuery } from './queries.ts';
import { ThreadView } from './ThreadView.tsx';
import { type CommentedContent, findLine, toThreads } from './threads.ts';

interface CommentPlace {
  /** Undefined if there is nothing to comment on. */
  content: CommentedContent | undefined;
  title: string;
  /** The proposal whose page this is. */
  proposal?: string | undefined;
}

/**
 * The comments on one side of a comparison: `annotate` shows those about its lines, and `others` are the threads that have no line in one of
 * the given texts.
 */
export function useContentComments({ content, title, proposal }: CommentPlace) {
  const canEdit = mayEdit(useWorkspace());
  const { data = [] } = useQuery({ ...commentsQuery(content ?? { prompt: '', version: 0 }), enabled: content !== undefined });
  const [open, setOpen] = useState<{ part: CommentPart; line: number }>();
  const threads = toThreads(data);

  const annotate = (part: CommentPart, text: string): SideAnnotations => {
    const lineOf = (thread: (typeof threads)[number]) => findLine(thread, part, text);
    const isOpen = (line: number) => open?.part === part && open.line === line;
    const lines = new Set(threads.flatMap((thread) => lineOf(thread) ?? []));
    if (open?.part === part) lines.add(open.line);
    return {
      lines: [...lines].sort((one, other) => one - other),
      onAdd: canEdit ? (line) => setOpen({ part, line }) : undefined,
      render: (line) => (
        <div className="space-y-2">
          {threads
            .filter((thread) => lineOf(thread) === line)
            .map((thread) => (
              <ThreadView key={thread.first.id} thread={thread} proposal={proposal} />
            ))}
          {isOpen(line) && content && (
            <CommentForm
              label={`Comment on line ${line} of ${title}`}
              action="Add comment"
              draftKey={JSON.stringify([content, part, line])}
              autoFocus
              onSend={async (written) => {
                await addComment({ ...content, ...(proposal !== undefined && { proposal }), anchor: { part, line }, text: written });
                setOpen(undefined);
              }}
              onCancel={() => setOpen(undefined)}
            />
          )}
        </div>
      ),
    };
  };
  const findOthers = (texts: Partial<Record<CommentPart, string>>) =>
    threads.filter((thread) => {
      const { anchor } = thread.first;
      const text = anchor ? texts[anchor.part] : undefined;
      return !anchor || text === undefined || findLine(thread, anchor.part, text) === undefined;
    });
  return { annotate: content && annotate, findOthers };
}
