import { useEffect, useState } from 'react';
import { formatMs } from '../lib/format.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { describeFinish } from './format.ts';
import { Metrics } from './Metrics.tsx';
import { Output } from './Output.tsx';
import { ProblemNote } from './ProblemNote.tsx';
import type { Runner } from './runner.ts';
import { StreamedText } from './StreamedText.tsx';
import { ToolCalls } from './ToolCalls.tsx';
import { useRunState } from './use-runner.ts';

interface RunResultProps {
  runner: Runner;
  /** The class of the output. */
  maxHeight?: string;
  label?: string;
}

/** Shows a run in progress or a finished run, with its text as it arrives, tool calls, errors and metrics. */
export function RunResult({ runner, maxHeight = 'max-h-[45vh]', label = 'Output' }: RunResultProps) {
  const { phase, startedAt, output, reasoning, hasOutput, hasReasoning, toolCalls, summary, problem, isStopped, durationMs } =
    useRunState(runner);
  if (phase === 'idle') return null;
  const finish = describeFinish(summary?.finishReason ?? null);
  const isEmpty = phase === 'ended' && !hasOutput && toolCalls.length === 0 && !problem && !isStopped;
  return (
    <div className="space-y-3">
      <div className="flex min-h-8 items-center justify-between gap-2">
        <div role="status" className="text-ink-3 text-xs">
          {phase === 'running' && <Waiting since={startedAt} hasOutput={hasOutput} />}
          {isStopped && `Stopped after ${formatMs(durationMs)}. The output so far is kept.`}
          {phase === 'ended' && summary && <span className="sr-only">The run has ended.</span>}
          {summary && <Metrics run={summary} />}
        </div>
        {phase === 'ended' && hasOutput && <CopyButton iconOnly label={`Copy ${label.toLowerCase()}`} text={output.text} />}
      </div>
      {problem && <ProblemNote problem={problem} />}
      {hasReasoning && (
        <details className="rounded-md border border-line">
          <summary className="cursor-default px-3 py-1.5 text-ink-3 text-xs">Reasoning</summary>
          <StreamedText label="Reasoning" buffer={reasoning} className="max-h-60 px-3 pb-2 text-ink-2" />
        </details>
      )}
      {hasOutput && <Output label={label} buffer={output} isComplete={phase === 'ended'} maxHeight={maxHeight} />}
      {isEmpty && <p className="text-ink-3 text-xs">The model returned no text.</p>}
      {toolCalls.length > 0 && <ToolCalls calls={toolCalls} />}
      {finish !== undefined && <p className="rounded-md bg-warn-soft px-3 py-2 text-warn text-xs">{finish}</p>}
    </div>
  );
}

function Waiting({ since, hasOutput }: { since: number; hasOutput: boolean }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((now - since) / 1000));
  return (
    <span className="animate-pulse-soft">
      {hasOutput ? 'Writing…' : 'Waiting for the model…'}
      {seconds > 0 && <span aria-hidden> {seconds} s</span>}
    </span>
  );
}
