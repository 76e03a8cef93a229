import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { FileQuestion } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../../client/src/errors.ts';

import { lazyComponent } from '../lib/chunks.ts';
import { sessionQuery } from '../lib/session.ts';
import type { Prompt } from '../lib/types.ts';
import { useTitle } from '../lib/use-title.ts';
import { promptQuery, versionQuery } from '../prompts/queries.ts';
import { buttonClass } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { draftKey, readDraft } from './drafts/stored-drafts.ts';
import { withSkeleton } from './lazy-wrappers.tsx';
import { Workbench } from './Workbench.tsx';

const CandidatePage = withSkeleton(lazyComponent(async () => (await import('../candidates/CandidatePage.tsx')).CandidatePage));

/** The interval at which to check whether someone else has saved. */
const refetchIntervalMs = 10_000;

export function PromptPage() {
  const { _splat: name = '' } = useParams({ from: '/dashboard/prompts/$' });
  const { candidate } = useSearch({ from: '/dashboard/prompts/$' });
  useTitle(name);
  const prompt = useQuery({ ...promptQuery(name), refetchInterval: refetchIntervalMs });
  if (prompt.data && candidate !== undefined) return <CandidatePage key={candidate} prompt={prompt.data} id={candidate} />;
  if (prompt.data) return <LoadedPrompt key={prompt.data.id} prompt={prompt.data} />;
  if (prompt.isPending) return <PageSkeleton />;
  if (prompt.error instanceof ApiError && prompt.error.status === 404) return <PromptNotFound name={name} />;
  return <Problem error={prompt.error} onRetry={() => prompt.refetch()} />;
}

/** Loads the version to edit: the latest version, or the version on which an unsaved draft is based. */
function LoadedPrompt({ prompt }: { prompt: Prompt }) {
  const { data: user } = useQuery(sessionQuery);
  const [key] = useState(() => draftKey(user?.userId ?? '', prompt.id));
  const [stored] = useState(() => readDraft(key));
  const [firstVersion, setFirstVersion] = useState(stored?.base ?? prompt.latestVersion);
  const version = useQuery(versionQuery(prompt.name, firstVersion));
  const isGone = version.error instanceof ApiError && version.error.status === 404 && firstVersion !== prompt.latestVersion;
  if (isGone) setFirstVersion(prompt.latestVersion);
  if (version.isPending) return <PageSkeleton />;
  if (version.isError) return <Problem error={version.error} onRetry={() => version.refetch()} />;
  return <Workbench prompt={prompt} storageKey={key} loaded={version.data} stored={stored} />;
}

function PageSkeleton() {
  return <Loading label="Loading prompt" rows={8} className="mx-auto max-w-6xl px-4 py-8 sm:px-8" />;
}

function PromptNotFound({ name }: { name: string }) {
  return (
    <div className="py-16">
      <h1 className="sr-only">{name}</h1>
      <EmptyState
        icon={FileQuestion}
        title="Prompt not found"
        action={
          <Link to="/dashboard/prompts" className={buttonClass('secondary')}>
            All prompts
          </Link>
        }
      >
        <code className="font-mono text-xs break-all">{name}</code> may have been renamed or moved to the{' '}
        <Link to="/dashboard/bin" className="font-medium text-accent-ink underline underline-offset-3">
          bin
        </Link>
        .
      </EmptyState>
    </div>
  );
}
