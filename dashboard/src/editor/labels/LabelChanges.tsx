import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { Prompt } from '../../lib/types.ts';
import { versionQuery } from '../../prompts/queries.ts';
import { Problem } from '../../ui/Problem.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { ContentComparison } from '../drafts/ContentComparison.tsx';
import { type Draft, draftOf } from '../drafts/draft.ts';
import type { Work } from '../drafts/use-draft.ts';

interface LabelChangesProps {
  prompt: Prompt;
  work: Work;
  /** The title of the content that is about to be saved, such as "Version 4". */
  title: string;
  /** The labels that will point at the version. */
  labels: string[];
}

/**
 * Shows, for each label that moves, the difference from the version that it points at now. Also shows the difference from the version that
 * was edited.
 */
export function LabelChanges({ prompt, work, title, labels }: LabelChangesProps) {
  const { base, saved, draft } = work;
  const moving = Map.groupBy(
    labels.filter((label) => prompt.labels[label] !== undefined),
    (label) => prompt.labels[label] ?? base.version,
  );
  const olders = [...moving.keys()].filter((from) => from !== base.version).sort((a, b) => b - a);
  const after = { title, draft };
  return (
    <div className="space-y-5">
      {olders.map((from) => (
        <Changes key={from} title={titleOf(moving.get(from), from)}>
          <ChangesSince prompt={prompt} from={from} after={after} />
        </Changes>
      ))}
      <Changes title={moving.size === 0 ? undefined : titleOf(moving.get(base.version), base.version)}>
        <ContentComparison type={prompt.type} before={{ title: `Version ${base.version}`, draft: saved }} after={after} />
      </Changes>
    </div>
  );
}

function titleOf(labels: string[] | undefined, from: number): string {
  return labels ? `What changes for ${labels.join(' and ')}` : `What changes since version ${from}`;
}

function Changes({ title, children }: { title: string | undefined; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <h3 id={id} className="mb-1.5 font-medium wrap-anywhere">
          {title}
        </h3>
      )}
      {children}
    </section>
  );
}

function ChangesSince({ prompt, from, after }: { prompt: Prompt; from: number; after: { title: string; draft: Draft } }) {
  const before = useQuery(versionQuery(prompt.name, from));
  if (before.isError) return <Problem error={before.error} onRetry={() => before.refetch()} />;
  if (!before.data) return <Skeleton className="h-40 w-full" />;
  return <ContentComparison type={prompt.type} before={{ title: `Version ${from}`, draft: draftOf(before.data) }} after={after} />;
}
