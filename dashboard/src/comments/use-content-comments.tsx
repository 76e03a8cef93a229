import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CommentPart, commentParts } from '../../../src/contract/comment-parts.ts';
import type { SideAnnotations } from '../editor/code/Comparison.tsx';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { addComment } from './actions.ts';
import { CommentForm } from './CommentForm.tsx';
import { commentsQuery } from './queries.ts';
import { ThreadView } from './ThreadView.tsx';
import { type CommentedContent, findLine, indexLines, toThreads } from './threads.ts';

interface CommentPlace {
  /** The content on which people can comment. Undefined if there is none. */
  content: CommentedContent | undefined;
  title: string;
  /** The proposal, if the comparison is on a proposal's page. */
  proposal?: string | undefined;
}

/**
 * Returns the comments on one side of a comparison. `annotate` shows the comments on lines. `findOthers` finds the threads whose line is
 * not in the given texts.
 */
export function useContentComments({ content, title, proposal }: CommentPlace) {
  const canEdit = mayEdit(useWorkspace());
  const { data = [] } = useQuery({ ...commentsQuery(content ?? { prompt: '', version: 0 }), enabled: content !== undefined });
  const [open, setOpen] = useState<{ part: CommentPart; line: number }>();
  const threads = toThreads(data);

  const annotate = (part: CommentPart, text: string): SideAnnotations => {
    const index = indexLines(text);
    const byLine = Map.groupBy(threads, (thread) => findLine(thread, part, index));
    const isOpen = (line: number) => open?.part === part && open.line === line;
    const lines = new Set([...byLine.keys()].flatMap((line) => line ?? []));
    if (open?.part === part) lines.add(open.line);
    return {
      lines: [...lines].sort((one, other) => one - other),
      onAdd: canEdit ? (line) => setOpen({ part, line }) : undefined,
      render: (line) => (
        <div className="space-y-2">
          {byLine.get(line)?.map((thread) => (
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
  const findOthers = (texts: Partial<Record<CommentPart, string>>) => {
    const indexes = new Map(
      commentParts.flatMap((part) => {
        const text = texts[part];
        return text === undefined ? [] : [[part, indexLines(text)] as const];
      }),
    );
    return threads.filter((thread) => {
      const { anchor } = thread.first;
      const index = anchor && indexes.get(anchor.part);
      return !anchor || !index || findLine(thread, anchor.part, index) === undefined;
    });
  };
  return { annotate: content && annotate, findOthers };
}
