import { useQuery } from '@tanstack/react-query';
import type { Prompt } from '../../lib/types.ts';
import { versionQuery } from '../../prompts/queries.ts';
import { Problem } from '../../ui/Problem.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { ContentComparison } from '../drafts/ContentComparison.tsx';
import { draftOf } from '../drafts/draft.ts';

/** Two saved versions of a prompt, side by side. */
export function VersionComparison({ prompt, from, to }: { prompt: Prompt; from: number; to: number }) {
  const before = useQuery(versionQuery(prompt.name, from));
  const after = useQuery(versionQuery(prompt.name, to));
  const failed = [before, after].find((query) => query.isError);
  if (failed) return <Problem error={failed.error} onRetry={() => failed.refetch()} />;
  if (!before.data || !after.data) return <Skeleton className="h-40 w-full" />;
  return (
    <ContentComparison
      type={prompt.type}
      before={{ title: `Version ${from}`, draft: draftOf(before.data) }}
      after={{ title: `Version ${to}`, draft: draftOf(after.data) }}
    />
  );
}
