import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ContentComparison } from '../editor/drafts/ContentComparison.tsx';
import { type Draft, draftOf } from '../editor/drafts/draft.ts';
import { VersionSelect } from '../editor/versions/VersionSelect.tsx';
import { versionsOf } from '../editor/versions/version-numbers.ts';
import type { Candidate, Prompt } from '../lib/types.ts';
import { versionQuery } from '../prompts/queries.ts';
import { Problem } from '../ui/Problem.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';

interface CandidateComparisonProps {
  prompt: Prompt;
  candidate: Candidate;
  /** The content of the editor, which may have unsaved changes. */
  draft: Draft;
}

/** Compares the content of the editor with any version. */
export function CandidateComparison({ prompt, candidate, draft }: CandidateComparisonProps) {
  const search = useSearch({ from: '/dashboard/prompts/$' });
  const navigate = useNavigate();
  const versions = versionsOf(prompt);
  const wanted = search.from ?? candidate.baseVersion;
  const from = versions.includes(wanted) ? wanted : prompt.latestVersion;
  const before = useQuery(versionQuery(prompt.name, from));
  const choose = (version: number) =>
    navigate({
      to: '/dashboard/prompts/$',
      params: { _splat: prompt.name },
      search: { candidate: candidate.id, view: 'compare', from: version },
      replace: true,
      resetScroll: false,
    });
  return (
    <section aria-label="Comparison" className="min-w-0">
      <div className="mb-3 flex flex-wrap items-end gap-2">
        <VersionSelect label="Compare with" isLabelVisible prompt={prompt} value={from} onChange={choose} />
      </div>
      {before.isError && <Problem error={before.error} onRetry={() => before.refetch()} />}
      {before.isPending && <Skeleton className="h-40 w-full" />}
      {before.data && (
        <ContentComparison
          type={prompt.type}
          before={{ title: `Version ${from}`, draft: draftOf(before.data) }}
          after={{ title: `Candidate: ${candidate.title}`, draft }}
        />
      )}
    </section>
  );
}
