import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { productionLabel } from '../../../src/contract/label-names.ts';
import type { ImportResult } from '../../../src/formats/import.ts';
import type { PlannedPrompt } from '../../../src/formats/plan.ts';
import { formatNumber, plural } from '../lib/format.ts';
import { mayMove, useWorkspace } from '../lib/workspace.ts';
import { overviewQuery } from '../prompts/queries.ts';
import { Button, buttonClass } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { Field, FormError } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';

interface ImportOptionsProps {
  folder: string;
  folderProblem: string | undefined;
  label: string;
  /** Whether the options can no longer be changed, because the import is running or has ended. */
  isLocked: boolean;
  state: ImportState;
  onFolder: (folder: string) => void;
  onLabel: (label: string) => void;
  onImport: () => void;
  onReset: () => void;
}

interface ImportState {
  /** The planned changes. Undefined until the existing prompts are known. */
  planned: PlannedPrompt[] | undefined;
  results: ReadonlyMap<string, ImportResult>;
  /** The number of prompts that will change. */
  total: number;
  error: string | undefined;
  isRunning: boolean;
  isDone: boolean;
}

/** The target folder, the summary, the button and the progress. */
export function ImportOptions({ folder, folderProblem, label, isLocked, state, onFolder, onLabel, onImport, onReset }: ImportOptionsProps) {
  const labelId = useId();
  const workspace = useWorkspace();
  const { data: overview } = useQuery(overviewQuery());
  const labels = [...new Set([productionLabel, 'staging', ...(overview?.labels ?? [])])];
  const { total, error, isRunning, isDone } = state;
  return (
    <Card className="space-y-4 p-4 sm:p-6">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Folder"
          hint="Optional. Imports all prompts into this folder."
          placeholder="imported"
          spellCheck={false}
          autoCapitalize="none"
          value={folder}
          error={folderProblem}
          disabled={isLocked}
          onChange={(event) => onFolder(event.target.value)}
        />
        <div>
          <label htmlFor={labelId} className="mb-1.5 block font-medium text-sm">
            Label
          </label>
          <Select id={labelId} className="w-full" value={label} disabled={isLocked} onChange={(event) => onLabel(event.target.value)}>
            <option value="">None (do not deploy)</option>
            {labels.map((each) => (
              <option key={each} value={each} disabled={!mayMove(workspace, each)}>
                {mayMove(workspace, each) ? each : `${each} (deployers only)`}
              </option>
            ))}
          </Select>
        </div>
      </div>
      <FormError>{error}</FormError>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-ink-2" aria-live="polite">
          {describe(state)}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button onClick={onReset} disabled={isRunning}>
            {isDone ? 'Import more' : 'Back'}
          </Button>
          {isDone ? (
            <Link to="/dashboard/prompts" search={{}} className={buttonClass('primary')}>
              Show prompts
            </Link>
          ) : (
            <Button
              kind="primary"
              busy={isRunning}
              disabled={!state.planned || folderProblem !== undefined || total === 0}
              onClick={onImport}
            >
              {error ? 'Try again' : total === 0 ? 'Import' : `Import ${plural(total, 'prompt')}`}
            </Button>
          )}
        </div>
      </div>
      {isRunning && (
        <progress aria-label="Imported prompts" className="h-1.5 w-full accent-accent" max={total} value={state.results.size} />
      )}
    </Card>
  );
}

function describe({ planned, results, total, isRunning, isDone }: ImportState): string {
  if (!planned) return 'Comparing with your prompts…';
  const refused = planned.filter(({ action }) => action === 'refuse').length;
  const same = planned.filter(({ action }) => action === 'same').length;
  const others = [same > 0 && `${formatNumber(same)} unchanged`, refused > 0 && `${formatNumber(refused)} cannot be imported`].filter(
    (text) => text !== false,
  );
  if (isDone) {
    const failed = [...results.values()].filter(({ version }) => version === undefined).length;
    return [`${plural(results.size - failed, 'prompt')} imported`, failed > 0 && `${formatNumber(failed)} refused`, ...others]
      .filter(Boolean)
      .join(', ');
  }
  if (isRunning) return `${formatNumber(results.size)} of ${plural(total, 'prompt')} imported`;
  const created = planned.filter(({ action }) => action === 'create').length;
  const changed = total - created;
  return [`${formatNumber(created)} new`, `${formatNumber(changed)} changed`, ...others].join(', ');
}
