import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileQuestion } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { draftKey, readDraft } from '../editor/drafts/stored-drafts.ts';
import { sessionQuery } from '../lib/session.ts';
import type { Candidate, Prompt } from '../lib/types.ts';
import { useTitle } from '../lib/use-title.ts';
import { buttonClass } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { CandidateWorkbench } from './CandidateWorkbench.tsx';
import { candidateQuery } from './queries.ts';

/** The interval at which to check whether someone else has changed the candidate. */
const refetchIntervalMs = 10_000;

/** The page of one candidate of a prompt. If someone deletes the candidate, the page stays open with the user's changes. */
export function CandidatePage({ prompt, id }: { prompt: Prompt; id: string }) {
  const query = useQuery({
    ...candidateQuery(prompt.name, id),
    refetchInterval: ({ state }) => (isMissing(state.error) ? false : refetchIntervalMs),
  });
  useTitle(query.data ? `${query.data.title}, ${prompt.name}` : prompt.name);
  const isGone = isMissing(query.error);
  if (query.data) return <LoadedCandidate prompt={prompt} candidate={query.data} isGone={isGone} />;
  if (query.isPending) return <Loading label="Loading candidate" rows={8} className="mx-auto max-w-6xl px-4 py-8 sm:px-8" />;
  if (isGone) return <CandidateNotFound name={prompt.name} />;
  return <Problem error={query.error} onRetry={() => query.refetch()} />;
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

function LoadedCandidate(props: { prompt: Prompt; candidate: Candidate; isGone: boolean }) {
  const { data: user } = useQuery(sessionQuery);
  const [key] = useState(() => draftKey(user?.userId ?? '', props.candidate.id));
  const [stored] = useState(() => readDraft(key));
  return <CandidateWorkbench {...props} storageKey={key} stored={stored} />;
}

function CandidateNotFound({ name }: { name: string }) {
  return (
    <div className="py-16">
      <h1 className="sr-only">{name}</h1>
      <EmptyState
        icon={FileQuestion}
        title="Candidate not found"
        action={
          <Link to="/dashboard/prompts/$" params={{ _splat: name }} search={{ view: 'candidates' }} className={buttonClass('secondary')}>
            All candidates
          </Link>
        }
      >
        Someone deleted it, or made a version from it.
      </EmptyState>
    </div>
  );
}
