import { useQuery } from '@tanstack/react-query';
import { Split } from 'lucide-react';
import type { Prompt } from '../lib/types.ts';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { GuideLink } from './KeysPreview.tsx';
import { releaseQuery } from './queries.ts';
import { ReleaseCard } from './ReleaseCard.tsx';
import { isActive } from './release.ts';

interface ReleasesPaneProps {
  prompt: Prompt;
  /** Opens the dialog that starts a release. */
  onStart: () => void;
}

/** Shows the last release of each label. Active releases come first. */
export function ReleasesPane({ prompt, onStart }: ReleasesPaneProps) {
  const canEdit = mayEdit(useWorkspace());
  const releases = Object.entries(prompt.releases ?? {}).sort(
    ([, a], [, b]) => Number(isActive(b)) - Number(isActive(a)) || b.changedAt.localeCompare(a.changedAt),
  );
  if (releases.length === 0) {
    return (
      <Card>
        <EmptyState icon={Split} title="No releases" action={canEdit && <Button onClick={onStart}>Deploy to some callers first</Button>}>
          A release gives a new version to some of your callers first. The service can widen it step by step while the results are good, and
          roll it back automatically if they are worse. <GuideLink />
        </EmptyState>
      </Card>
    );
  }
  return (
    <div className="space-y-5">
      {releases.map(([label]) => (
        <LabelRelease key={label} prompt={prompt} label={label} />
      ))}
    </div>
  );
}

function LabelRelease({ prompt, label }: { prompt: Prompt; label: string }) {
  const release = useQuery(releaseQuery(prompt.name, label));
  if (release.data) return <ReleaseCard prompt={prompt} release={release.data} />;
  return (
    <Card>
      {release.isError ? (
        <Problem error={release.error} onRetry={() => release.refetch()} />
      ) : (
        <Loading label={`Loading the release on ${label}`} rows={4} className="p-4" />
      )}
    </Card>
  );
}
