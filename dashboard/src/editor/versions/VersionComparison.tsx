import { useQuery } from '@tanstack/react-query';
import { CommentedComparison } from '../../comments/CommentedComparison.tsx';
import type { Prompt, Version } from '../../lib/types.ts';
import { versionQuery } from '../../prompts/queries.ts';
import { Problem } from '../../ui/Problem.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { draftOf } from '../drafts/draft.ts';

/** Shows two saved versions of a prompt side by side, with the comments on them. */
export function VersionComparison({ prompt, from, to }: { prompt: Prompt; from: number; to: number }) {
  const before = useQuery(versionQuery(prompt.name, from));
  const after = useQuery(versionQuery(prompt.name, to));
  const failed = [before, after].find((query) => query.isError);
  if (failed) return <Problem error={failed.error} onRetry={() => failed.refetch()} />;
  if (!before.data || !after.data) return <Skeleton className="h-40 w-full" />;
  return <CommentedComparison type={prompt.type} before={toSide(before.data)} after={toSide(after.data)} />;
}

function toSide(version: Version) {
  return { title: `Version ${version.version}`, draft: draftOf(version), content: { prompt: version.name, version: version.version } };
}
