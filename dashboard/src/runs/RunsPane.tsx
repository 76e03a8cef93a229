import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Columns2, Play } from 'lucide-react';
import { runRetentionDays } from '../../../src/contract/limits.ts';
import { cx } from '../lib/cx.ts';
import type { Prompt } from '../lib/types.ts';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { Button, buttonClass } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import type { Editor } from './open-run.ts';
import { runsQuery } from './queries.ts';
import { RunDetail } from './RunDetail.tsx';
import { RunRow } from './RunRow.tsx';

interface RunsPaneProps {
  prompt: Prompt;
  editor: Editor;
}

/** The runs of a prompt, newest first, and the open run. */
export function RunsPane({ prompt, editor }: RunsPaneProps) {
  const { run: openId } = useSearch({ from: '/dashboard/prompts/$' });
  const runs = useInfiniteQuery(runsQuery(prompt.name));
  const canRun = mayEdit(useWorkspace());
  const all = runs.data?.pages.flatMap(({ data }) => data);
  const shownId = openId ?? all?.[0]?.id;
  if (runs.isPending) return <Loading label="Loading runs" rows={5} />;
  if (!all) return <Problem error={runs.error} onRetry={() => runs.refetch()} />;
  if (all.length === 0) return <NoRuns prompt={prompt} canRun={canRun} />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[22rem_minmax(0,1fr)]">
      {/* A phone shows either the list or the run. */}
      <Card className={cx('overflow-hidden', openId !== undefined && 'max-lg:hidden')}>
        <div className="flex items-center justify-between gap-2 py-2 pr-2 pl-4">
          <h2 className="font-semibold text-sm">Runs</h2>
          {canRun && (
            <Link
              to="/dashboard/prompts/$"
              params={{ _splat: prompt.name }}
              search={{ view: 'compare' }}
              className={buttonClass('ghost', 'sm')}
            >
              <Columns2 aria-hidden className="size-3.5" />
              Compare
            </Link>
          )}
        </div>
        <ol className="divide-y divide-line border-line border-t">
          {all.map((run) => (
            <RunRow key={run.id} promptName={prompt.name} run={run} isShown={run.id === shownId} />
          ))}
        </ol>
        <div className="border-line border-t px-4 py-3 text-ink-3 text-xs">
          {runs.hasNextPage ? (
            <Button size="sm" busy={runs.isFetchingNextPage} onClick={() => runs.fetchNextPage()}>
              Show more
            </Button>
          ) : (
            `Runs are kept for ${runRetentionDays} days.`
          )}
        </div>
      </Card>
      {shownId !== undefined && (
        <div className={cx(openId === undefined && 'max-lg:hidden')}>
          <RunDetail key={shownId} promptName={prompt.name} id={shownId} editor={editor} canRun={canRun} />
        </div>
      )}
    </div>
  );
}

function NoRuns({ prompt, canRun }: { prompt: Prompt; canRun: boolean }) {
  const toEditor = (
    <Link to="/dashboard/prompts/$" params={{ _splat: prompt.name }} search={{}} className={buttonClass('secondary')}>
      Go to the editor
    </Link>
  );
  return (
    <EmptyState icon={Play} title="No runs yet" {...(canRun && { action: toEditor })}>
      {canRun
        ? 'To send the prompt to a model, choose Run next to the editor. Runs are kept here for 30 days.'
        : 'Runs by editors appear here and are kept for 30 days.'}
    </EmptyState>
  );
}
