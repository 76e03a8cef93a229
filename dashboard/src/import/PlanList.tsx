import { useState } from 'react';
import type { ImportResult } from '../../../src/formats/import.ts';
import type { PlannedPrompt } from '../../../src/formats/plan.ts';
import { formatNumber } from '../lib/format.ts';
import { Button } from '../ui/Button.tsx';
import { PlanRow } from './PlanRow.tsx';

const rowsAtOnce = 100;
/** What needs attention comes first. */
const order = ['refuse', 'update', 'create', 'describe', 'label', 'cases', 'same'] as const;

interface PlanListProps {
  planned: PlannedPrompt[];
  results: ReadonlyMap<string, ImportResult>;
  isDone: boolean;
}

export function PlanList({ planned, results, isDone }: PlanListProps) {
  const [shown, setShown] = useState(rowsAtOnce);
  const sorted = planned.toSorted((one, other) => order.indexOf(one.action) - order.indexOf(other.action));
  return (
    <>
      <ul aria-label="Prompts" className="divide-y divide-line">
        {sorted.slice(0, shown).map((prompt) => (
          <PlanRow key={`${prompt.path} ${prompt.name}`} prompt={prompt} result={results.get(prompt.name)} isDone={isDone} />
        ))}
      </ul>
      {sorted.length > shown && (
        <div className="flex items-center justify-center gap-3 border-line border-t p-3">
          <span className="text-ink-3 text-xs">
            {formatNumber(shown)} of {formatNumber(sorted.length)}
          </span>
          <Button size="sm" onClick={() => setShown(shown + 5 * rowsAtOnce)}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}
