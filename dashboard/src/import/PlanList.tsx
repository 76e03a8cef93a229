import type { ImportResult } from '../../../src/formats/import.ts';
import type { PlannedPrompt } from '../../../src/formats/plan.ts';
import { PlanRow } from './PlanRow.tsx';
import { ShownRows } from './ShownRows.tsx';

/** Prompts that need attention come first. */
const order = ['refuse', 'update', 'create', 'describe', 'label', 'cases', 'same'] as const;

interface PlanListProps {
  planned: PlannedPrompt[];
  results: ReadonlyMap<string, ImportResult>;
  isDone: boolean;
  isSkipped: (prompt: PlannedPrompt) => boolean;
  /** Selects or deselects a prompt. Undefined while the import runs, and afterwards. */
  onToggle: ((prompt: PlannedPrompt) => void) | undefined;
}

export function PlanList({ planned, results, isDone, isSkipped, onToggle }: PlanListProps) {
  return (
    <ShownRows
      items={planned.toSorted((one, other) => order.indexOf(one.action) - order.indexOf(other.action))}
      renderRow={(prompt) => (
        <PlanRow
          key={`${prompt.path} ${prompt.name}`}
          prompt={prompt}
          result={results.get(prompt.name)}
          isDone={isDone}
          isSkipped={isSkipped(prompt)}
          onToggle={onToggle && (() => onToggle(prompt))}
        />
      )}
    />
  );
}
