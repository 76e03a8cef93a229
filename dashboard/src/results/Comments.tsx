import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { versionsOf } from '../editor/versions/version-numbers.ts';
import { formatAgo, formatDateTime } from '../lib/format.ts';
import type { CommentPage, Prompt } from '../lib/types.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Select } from '../ui/Select.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { commentsQuery } from './queries.ts';

/** Shows the comments that people wrote when they rated calls. */
export function Comments({ prompt }: { prompt: Prompt }) {
  const [version, setVersion] = useState<number>();
  const comments = useInfiniteQuery(commentsQuery(prompt.name, version));
  const all = comments.data?.pages.flatMap(({ data }) => data);
  return (
    <Section
      title="Comments"
      description="What people wrote with their feedback, newest first. Comments are kept for 90 days."
      actions={
        (version !== undefined || (all && all.length > 0)) && (
          <Select
            aria-label="Comments on"
            value={version ?? ''}
            onChange={(event) => setVersion(event.target.value === '' ? undefined : Number(event.target.value))}
          >
            <option value="">Any version</option>
            {versionsOf(prompt).map((each) => (
              <option key={each} value={each}>
                v{each}
              </option>
            ))}
          </Select>
        )
      }
      {...(comments.hasNextPage && {
        footer: (
          <Button busy={comments.isFetchingNextPage} onClick={() => comments.fetchNextPage()}>
            Show more
          </Button>
        ),
      })}
    >
      {comments.isPending && <Loading label="Loading comments" rows={3} />}
      {comments.isError && !all && <Problem error={comments.error} onRetry={() => comments.refetch()} />}
      {all?.length === 0 && (
        <p className="text-ink-3">
          {version === undefined ? 'No comments. Feedback can have a comment in addition to the score.' : `No comments on v${version}.`}
        </p>
      )}
      {all && all.length > 0 && (
        <ul className="-mx-4 -mb-4 divide-y divide-line border-line border-t sm:-mx-6 sm:-mb-6">
          {all.map((comment) => (
            <CommentRow key={comment.id} comment={comment} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function CommentRow({ comment: { at, version, label, name, value, comment } }: { comment: CommentPage['data'][number] }) {
  return (
    <li className="space-y-1 px-4 py-3 sm:px-6">
      <p dir="auto" className="whitespace-pre-wrap text-left wrap-anywhere">
        {comment}
      </p>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-3 text-xs">
        <span dir="auto" className="max-w-full wrap-anywhere">
          {name}: <span className="font-medium text-ink-2">{value}</span>
        </span>
        {version !== null && <Badge>v{version}</Badge>}
        {label !== null && <span className="wrap-anywhere">{label}</span>}
        <time dateTime={at} title={formatDateTime(at)}>
          {formatAgo(at)}
        </time>
      </p>
    </li>
  );
}
