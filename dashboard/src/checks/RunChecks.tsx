import { Play } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Case, CheckSummary, Content, Prompt } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { CheckProgress } from './CheckProgress.tsx';
import { type CheckSubject, isAbout, startChecks, useCheckRun } from './check-runs.ts';
import { ModelChoice, requestOf, useChosenModel } from './ModelChoice.tsx';
import { needModel } from './results.ts';

interface RunChecksProps {
  prompt: Prompt;
  /** The version or the candidate to check, with its content if it is loaded. */
  subject: CheckSubject;
  content: Content | undefined;
  cases: Case[];
  /** The last check run, whose model is preselected. */
  last: CheckSummary | undefined;
  label: string;
  kind?: 'primary' | 'secondary';
  onStart?: () => void;
  /** Additional fields of the form. */
  children?: ReactNode;
}

/** Selects a model if one is needed, runs the test cases, and shows the progress. */
export function RunChecks({ prompt, subject, content, cases, last, label, kind = 'secondary', onStart, children }: RunChecksProps) {
  const run = useCheckRun(prompt.id);
  const chosen = useChosenModel(content, last);
  const needsModel = needModel(cases);
  const isRunning = run?.state === 'running';
  const start = () => {
    onStart?.();
    void startChecks(prompt, { subject, ...(needsModel && requestOf(chosen)) });
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
      {run && (isRunning || isAbout(run, subject)) && <CheckProgress promptId={prompt.id} run={run} />}
    </div>
  );
}
