import { Square } from 'lucide-react';
import { plural } from '../lib/format.ts';
import { formatCost } from '../runs/format.ts';
import { Button } from '../ui/Button.tsx';
import { FormError } from '../ui/Field.tsx';
import { type CheckRun, stopChecks } from './check-runs.ts';
import { sumCosts, titleOf } from './results.ts';

/** Shows the progress of a run, its cost so far, and a button that stops it. If the run ended early, shows the reason. */
export function CheckProgress({ promptId, run }: { promptId: string; run: CheckRun }) {
  if (run.state === 'done') return null;
  if (run.state === 'failed') return <FormError>{run.error}</FormError>;
  const { results, total } = run;
  const title = titleOf(run);
  const failed = results.filter(({ passed }) => !passed).length;
  const cost = sumCosts(results);
  const counts = [
    total === undefined ? 'Starting' : `${results.length} of ${plural(total, 'test case')}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(cost === null ? [] : [formatCost(cost)]),
  ].join(' · ');
  if (run.state === 'stopped') {
    return (
      <p role="status" className="text-ink-2">
        Stopped after {counts}. The results are not kept.
      </p>
    );
  }
  return (
    <div className="flex items-center gap-3">
      <div className="min-w-0 flex-1">
        <p role="status" className="mb-1.5 text-ink-2 tabular">
          {title}: {counts}
        </p>
        <div
          role="progressbar"
          aria-label={`Checks of ${title}`}
          aria-valuemin={0}
          aria-valuemax={total ?? 1}
          aria-valuenow={results.length}
          className="h-1.5 overflow-hidden rounded-full bg-hover"
        >
          <div
            className="h-full rounded-full bg-accent transition-[width] duration-200"
            style={{ width: `${total === undefined ? 0 : (results.length / total) * 100}%` }}
          />
        </div>
      </div>
      <Button onClick={() => stopChecks(promptId)}>
        <Square aria-hidden className="size-3.5" />
        Stop
      </Button>
    </div>
  );
}
