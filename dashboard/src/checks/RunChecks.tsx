import { Play } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Case, CheckSummary, Prompt } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { CheckProgress } from './CheckProgress.tsx';
import { startChecks, useCheckRun } from './check-runs.ts';
import { ModelChoice, requestOf, useChosenModel } from './ModelChoice.tsx';
import { needModel } from './results.ts';

interface RunChecksProps {
  prompt: Prompt;
  /** The version to check, or the version on which the candidate is based. */
  version: number;
  candidate?: CheckSummary['candidate'];
  cases: Case[];
  /** The last check run, whose model is preselected. */
  last: CheckSummary | undefined;
  label: string;
  kind?: 'primary' | 'secondary';
  onStart?: () => void;
  /** Additional fields. */
  children?: ReactNode;
}

/** Selects a model if one is needed, runs the test cases with a version or a candidate, and shows the progress. */
export function RunChecks({ prompt, version, candidate, cases, last, label, kind = 'secondary', onStart, children }: RunChecksProps) {
  const run = useCheckRun(prompt.id);
  const chosen = useChosenModel(prompt, version, last);
  const needsModel = needModel(cases);
  const isRunning = run?.state === 'running';
  const subject = candidate ? { version: null, candidate } : { version };
  const isSame = run?.version === subject.version && run.candidate?.id === candidate?.id;
  const start = () => {
    onStart?.();
    void startChecks(prompt, subject, needsModel ? requestOf(chosen) : {});
  };
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-end gap-3">
        {children}
        {needsModel && <ModelChoice chosen={chosen} />}
        <Button kind={kind} disabled={isRunning || cases.length === 0 || (needsModel && !chosen.connection)} onClick={start}>
          <Play aria-hidden className="size-4" />
          {label}
        </Button>
        {!needsModel && <p className="py-1.5 text-ink-3 text-xs">No model is needed, because all checks apply to the rendered prompt.</p>}
      </div>
      {run && (isRunning || isSame) && <CheckProgress promptId={prompt.id} run={run} />}
    </div>
  );
}
