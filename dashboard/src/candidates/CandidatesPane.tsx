import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { formatAgo, formatDateTime } from '../lib/format.ts';
import type { Candidate, Prompt } from '../lib/types.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { candidatesQuery } from './queries.ts';

/** Lists the candidates of a prompt, with the people who changed them and the versions on which they are based. */
export function CandidatesPane({ prompt }: { prompt: Prompt }) {
  const list = useInfiniteQuery(candidatesQuery(prompt.name));
  if (list.isPending) return <Loading label="Loading candidates" rows={4} />;
  if (!list.data) return <Problem error={list.error} onRetry={() => list.refetch()} />;
  const candidates = list.data.pages.flatMap(({ data }) => data);
  return (
    <Card>
      {candidates.length === 0 ? (
        <EmptyState icon={FlaskConical} title="No candidates yet">
          A candidate is content that several people can change before it becomes a version. Change the prompt in the editor, select{' '}
          <span className="font-medium">Save version</span>, then <span className="font-medium">Candidate</span>.
        </EmptyState>
      ) : (
        <ul aria-label="Candidates" className="divide-y divide-line">
          {candidates.map((candidate) => (
            <CandidateRow key={candidate.id} candidate={candidate} />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <div className="border-line border-t px-4 py-3">
          <Button busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Card>
  );
}

function CandidateRow({ candidate: { id, name, title, message, baseVersion, changedAt, changedBy, createdBy } }: { candidate: Candidate }) {
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <Avatar userId={changedBy.userId ?? changedBy.name} name={changedBy.name} />
      <div className="min-w-0 flex-1">
        <Link
          to="/dashboard/prompts/$"
          params={{ _splat: name }}
          search={{ candidate: id }}
          dir="auto"
          className="rounded-sm font-medium text-accent-ink underline underline-offset-3 wrap-anywhere"
        >
          {title}
        </Link>
        {message !== '' && (
          <p dir="auto" className="text-ink-2 wrap-anywhere">
            {message}
          </p>
        )}
        <p className="text-ink-3 text-xs">
          {changedBy.name} changed it{' '}
          <time dateTime={changedAt} title={formatDateTime(changedAt)}>
            {formatAgo(changedAt)}
          </time>
          {createdBy.userId !== changedBy.userId && ` · started by ${createdBy.name}`} · based on v{baseVersion}
        </p>
      </div>
    </li>
  );
}
