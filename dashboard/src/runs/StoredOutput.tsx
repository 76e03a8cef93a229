import { useMemo } from 'react';
import type { Run } from '../lib/types.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { describeFinish } from './format.ts';
import { Metrics } from './Metrics.tsx';
import { Output } from './Output.tsx';
import { ProblemNote } from './ProblemNote.tsx';
import { describeError } from './runner.ts';
import { ToolCalls } from './ToolCalls.tsx';
import { createTextBuffer } from './text-buffer.ts';

/** The output of an earlier run. */
export function StoredOutput({ run }: { run: Run }) {
  const { output, toolCalls, error, finishReason } = run;
  const buffer = useMemo(() => createTextBuffer(output), [output]);
  const finish = describeFinish(finishReason);
  return (
    <div className="space-y-3">
      <div className="flex min-h-8 items-center justify-between gap-2">
        <Metrics run={run} />
        {output !== '' && <CopyButton iconOnly label="Copy output" text={output} />}
      </div>
      {error && error.code !== 'canceled' && <ProblemNote problem={describeError(error)} />}
      {error?.code === 'canceled' && <p className="text-ink-3 text-xs">The run was stopped. This is the output up to that point.</p>}
      {output !== '' && <Output label="Output" buffer={buffer} isComplete maxHeight="max-h-[60vh]" />}
      {output === '' && toolCalls.length === 0 && !error && <p className="text-ink-3 text-xs">The model returned no text.</p>}
      {toolCalls.length > 0 && <ToolCalls calls={toolCalls} />}
      {finish !== undefined && <p className="rounded-md bg-warn-soft px-3 py-2 text-warn text-xs">{finish}</p>}
    </div>
  );
}
