import { useInfiniteQuery } from '@tanstack/react-query';
import { FileText, MessagesSquare, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { messageOf } from '../lib/api.ts';
import { formatAgo, formatDateTime, plural } from '../lib/format.ts';
import type { Prompt } from '../lib/types.ts';
import { mayEdit, mayManage, useWorkspace } from '../lib/workspace.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Page } from '../ui/Page.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { toastFailure } from '../ui/toasts.ts';
import { restorePrompt } from './actions.ts';
import { binQuery } from './queries.ts';
import { RestoreDialog } from './RestoreDialog.tsx';

export function BinPage() {
  const bin = useInfiniteQuery(binQuery);
  const prompts = bin.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Page title="Bin" description="Deleted prompts stay here for 30 days. Applications can no longer fetch them.">
      <Card className="overflow-hidden">
        {bin.isPending && <Loading rows={4} className="px-4" />}
        {bin.isError && <Problem error={bin.error} onRetry={() => bin.refetch()} />}
        {bin.isSuccess && prompts.length === 0 && <EmptyState icon={Trash2} title="The bin is empty" />}
        <ul className="divide-y divide-line">
          {prompts.map((prompt) => (
            <BinRow key={prompt.id} prompt={prompt} />
          ))}
        </ul>
      </Card>
      {bin.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button busy={bin.isFetchingNextPage} onClick={() => bin.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Page>
  );
}

function BinRow({ prompt }: { prompt: Prompt }) {
  const { name, type, description, deletedAt, deletedBy } = prompt;
  const workspace = useWorkspace();
  const [busy, setBusy] = useState(false);
  const [needsReason, setNeedsReason] = useState(false);
  const Icon = type === 'chat' ? MessagesSquare : FileText;
  const restore = async () => {
    setBusy(true);
    try {
      await restorePrompt(name);
    } catch (err) {
      if (err instanceof ApiError && err.code === 'checks_required' && mayManage(workspace)) setNeedsReason(true);
      else toastFailure(messageOf(err));
    }
    setBusy(false);
  };
  return (
    <li className="flex min-h-14 items-center gap-3 px-4 py-2">
      <Icon aria-label={type} className="size-4 shrink-0 text-ink-3" strokeWidth={1.75} />
      <div className="min-w-0 flex-1">
        <div dir="auto" className="truncate text-left font-medium">
          {name}
        </div>
        {description !== '' && (
          <p dir="auto" className="truncate text-left text-ink-2 text-xs">
            {description}
          </p>
        )}
        <p className="text-ink-3 text-xs wrap-anywhere">
          {deletedAt && (
            <>
              Deleted{deletedBy && ` by ${deletedBy.name}`}
              {deletedBy?.via === 'api' && ' via API'} <time title={formatDateTime(deletedAt)}>{formatAgo(deletedAt)}</time> ·{' '}
            </>
          )}
          {describeContent(prompt)}
        </p>
      </div>
      {mayEdit(workspace) && (
        <Button size="sm" busy={busy} onClick={restore} aria-label={`Restore ${name}`}>
          Restore
        </Button>
      )}
      {needsReason && <RestoreDialog name={name} onClose={() => setNeedsReason(false)} />}
    </li>
  );
}

/** Formats the content, such as "chat · 8 versions · production v3". */
function describeContent({ type, labels, latestVersion, deletedVersions = [] }: Prompt): string {
  const targets = Object.entries(labels).map(([label, version]) => `${label} v${version}`);
  return [type, plural(latestVersion - deletedVersions.length, 'version'), targets.join(', ') || 'not deployed'].join(' · ');
}
