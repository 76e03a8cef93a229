import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft, PenLine, RotateCcw, Square } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../lib/api.ts';
import { formatDateTime } from '../lib/format.ts';
import { queryClient } from '../lib/query-client.ts';
import type { Run } from '../lib/types.ts';
import { versionQuery } from '../prompts/queries.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button, buttonClass } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { toastFailure } from '../ui/toasts.ts';
import { titleOfSource } from './format.ts';
import { type Editor, openRun } from './open-run.ts';
import { runQuery } from './queries.ts';
import { RunResult } from './RunResult.tsx';
import { repeatRun } from './run-input.ts';
import { createRunner, type Runner } from './runner.ts';
import { SaveAsTestCase } from './SaveAsTestCase.tsx';
import { SentInput } from './SentInput.tsx';
import { StoredOutput } from './StoredOutput.tsx';
import { useRunState } from './use-runner.ts';

interface RunDetailProps {
  promptName: string;
  id: string;
  editor: Editor;
  canRun: boolean;
}

/** An earlier run with its output and input, and a button to run it again. */
export function RunDetail({ promptName, id, editor, canRun }: RunDetailProps) {
  const run = useQuery(runQuery(promptName, id));
  return (
    <div className="space-y-4">
      <Link
        to="/dashboard/prompts/$"
        params={{ _splat: promptName }}
        search={{ view: 'runs' }}
        className={`${buttonClass('ghost', 'sm')} lg:hidden`}
      >
        <ArrowLeft aria-hidden className="size-3.5" />
        All runs
      </Link>
      {run.isPending && <Loading label="Loading run" rows={4} />}
      {run.isError && <Problem error={run.error} onRetry={() => run.refetch()} />}
      {run.data && <Loaded promptName={promptName} run={run.data} editor={editor} canRun={canRun} />}
    </div>
  );
}

function Loaded({ promptName, run, editor, canRun }: Omit<RunDetailProps, 'id'> & { run: Run }) {
  const navigate = useNavigate();
  const [again] = useState(createRunner);
  const { phase } = useRunState(again);
  const repeat = async () => {
    try {
      const input = repeatRun(promptName, run, await loadConfig(promptName, run));
      if (!input) return toastFailure('This run was too large to store in full, so it cannot be repeated.');
      // The run is selected explicitly. Otherwise, the page would show the newest run, which will be the repetition.
      await navigate({ to: '/dashboard/prompts/$', params: { _splat: promptName }, search: { view: 'runs', run: run.id }, replace: true });
      editor.place.session.runners.add(again);
      again.start(input);
    } catch (err) {
      toastFailure(messageOf(err));
    }
  };
  const open = async () => {
    try {
      await openRun(editor, promptName, run);
      await navigate({ to: '/dashboard/prompts/$', params: { _splat: promptName }, search: {} });
    } catch (err) {
      toastFailure(messageOf(err));
    }
  };
  return (
    <>
      <Card>
        <Heading run={run} />
        <div className="px-4 pb-4">
          <StoredOutput run={run} />
        </div>
        <div className="flex flex-wrap items-center gap-2 border-line border-t bg-sunken px-4 py-2.5">
          {canRun && <AgainButton phase={phase} onRun={repeat} onStop={again.stop} />}
          {canRun && (
            <Button size="sm" onClick={open}>
              <PenLine aria-hidden className="size-3.5" />
              Open in the editor
            </Button>
          )}
          {canRun && <SaveAsTestCase promptName={promptName} values={run.variables} />}
        </div>
      </Card>
      {phase !== 'idle' && <Repeated runner={again} />}
      <SentInput run={run} />
    </>
  );
}

function AgainButton({ phase, onRun, onStop }: { phase: string; onRun: () => void; onStop: () => void }) {
  if (phase === 'running') {
    return (
      <Button size="sm" onClick={onStop}>
        <Square aria-hidden className="size-3.5" />
        Stop
      </Button>
    );
  }
  return (
    <Button size="sm" onClick={onRun}>
      <RotateCcw aria-hidden className="size-3.5" />
      Run again
    </Button>
  );
}

function Repeated({ runner }: { runner: Runner }) {
  return (
    <Card>
      <h2 className="px-4 py-3 font-semibold text-sm">New run</h2>
      <div className="px-4 pb-4">
        <RunResult runner={runner} label="Output of the new run" />
      </div>
    </Card>
  );
}

function Heading({ run }: { run: Run }) {
  const { model, connection, createdAt, by } = run;
  return (
    <div className="px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 font-semibold text-sm wrap-anywhere">{model}</h2>
        <Badge>{titleOfSource(run)}</Badge>
      </div>
      <p className="mt-0.5 text-ink-3 text-xs wrap-anywhere">
        {connection.name} · <time dateTime={createdAt}>{formatDateTime(createdAt)}</time> · {by.name}
        {by.via === 'api' && ' via API'}
      </p>
    </div>
  );
}

/** Loads the config of the content that ran, without the parameters that the user replaced only for this run. */
async function loadConfig(promptName: string, { draft, version }: Run): Promise<unknown> {
  if (draft || version === null) return draft?.config;
  return (await queryClient.ensureQueryData(versionQuery(promptName, version))).config;
}
