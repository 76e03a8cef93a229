import { Download, Ellipsis, Plus, Upload } from 'lucide-react';
import { useState } from 'react';
import { exportCases } from '../cases/export.ts';
import { messageOf } from '../lib/api.ts';
import { plural } from '../lib/format.ts';
import type { Case, CheckSummary } from '../lib/types.ts';
import { formatCost } from '../runs/format.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { FormError } from '../ui/Field.tsx';
import { Menu, MenuItem } from '../ui/Menu.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { type CaseAction, CaseRow } from './CaseRow.tsx';
import { RunSelect } from './RunSelect.tsx';
import { type CaseRowData, filterRows, type RowFilter, toRows } from './rows.ts';
import type { ShownRuns } from './use-shown-runs.ts';

interface CaseListProps {
  promptName: string;
  cases: Case[];
  checks: CheckSummary[];
  shown: ShownRuns;
  canEdit: boolean;
  onNew: () => void;
  onImport: () => void;
  onAction: (action: CaseAction, current: Case) => void;
}

/** All test cases with their results in one or two runs. */
export function CaseList({ promptName, cases, checks, shown, canEdit, onNew, onImport, onAction }: CaseListProps) {
  const [chosenFilter, setFilter] = useState<RowFilter>('all');
  const { run, against } = shown;
  const filter = (chosenFilter === 'changed' && !against) || !run ? 'all' : chosenFilter;
  const rows = toRows(cases, run?.results ?? [], against?.results ?? []);
  const visible = filterRows(rows, filter);
  return (
    <Card className="overflow-hidden">
      <div className="flex flex-wrap items-center gap-2 border-line border-b py-2 pr-3 pl-4">
        <h2 className="mr-auto font-semibold text-sm">
          Test cases <span className="font-normal text-ink-3 text-xs tabular">{cases.length}</span>
        </h2>
        <ListActions promptName={promptName} canEdit={canEdit} onImport={onImport} />
        {canEdit && (
          <Button onClick={onNew}>
            <Plus aria-hidden className="size-4" />
            New test case
          </Button>
        )}
      </div>
      {checks.length > 0 && <RunChoice checks={checks} shown={shown} />}
      {run && (
        <div className="flex flex-wrap items-center justify-between gap-2 border-line border-b px-4 py-2">
          <div className="min-w-0">
            <Summary shown={shown} rows={rows} />
          </div>
          <Segmented
            label="Show"
            value={filter}
            options={[
              { value: 'all', label: 'All' },
              { value: 'failed', label: 'Failed' },
              ...(against ? [{ value: 'changed' as const, label: 'Changed' }] : []),
            ]}
            onChange={setFilter}
          />
        </div>
      )}
      {visible.length === 0 && (
        <p className="px-4 py-8 text-center text-ink-3">
          {filter === 'all'
            ? 'All test cases were deleted.'
            : filter === 'failed'
              ? 'No test case failed.'
              : 'No test case has a different result.'}
        </p>
      )}
      <ul aria-label="Test cases" className="divide-y divide-line">
        {visible.map((row) => (
          <CaseRow
            key={row.id}
            name={row.name}
            current={row.current}
            title={run?.title}
            result={row.result}
            againstTitle={against?.title}
            against={row.against}
            change={row.change}
            canEdit={canEdit}
            onAction={onAction}
          />
        ))}
      </ul>
    </Card>
  );
}

function ListActions({ promptName, canEdit, onImport }: Pick<CaseListProps, 'promptName' | 'canEdit' | 'onImport'>) {
  return (
    <Menu
      trigger={
        <IconButton label="Import and export">
          <Ellipsis aria-hidden className="size-4" />
        </IconButton>
      }
    >
      {canEdit && (
        <MenuItem icon={Upload} onSelect={onImport}>
          Import
        </MenuItem>
      )}
      <MenuItem icon={Download} onSelect={() => void exportCases(promptName, 'csv')}>
        Export as CSV
      </MenuItem>
      <MenuItem icon={Download} onSelect={() => void exportCases(promptName, 'json')}>
        Export as JSON
      </MenuItem>
    </Menu>
  );
}

/** Selects the run to show and the run to compare it with. */
function RunChoice({ checks, shown: { run, against, choose } }: { checks: CheckSummary[]; shown: ShownRuns }) {
  const shownId = run?.summary?.id ?? '';
  const againstId = against?.summary?.id;
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-b bg-sunken px-4 py-2">
      <span className="text-ink-2">Results of</span>
      <RunSelect
        label="Run to show"
        checks={checks}
        value={shownId}
        none={shownId === '' ? 'the current run' : undefined}
        onChange={(check) => choose({ check, ...(againstId !== undefined && { against: againstId }) })}
      />
      <span className="text-ink-2">compared with</span>
      <RunSelect
        label="Run to compare with"
        checks={checks.filter(({ id }) => id !== shownId)}
        value={againstId ?? ''}
        none="nothing"
        onChange={(other) => choose({ ...(shownId !== '' && { check: shownId }), ...(other !== '' && { against: other }) })}
      />
    </div>
  );
}

function Summary({ shown: { run, against }, rows }: { shown: ShownRuns; rows: CaseRowData[] }) {
  const failure = run?.error ?? against?.error;
  if (failure !== undefined) return <FormError>{messageOf(failure)}</FormError>;
  if (!run || run.isLoading || against?.isLoading) return <p className="text-ink-3">Loading results…</p>;
  const { summary, title } = run;
  const failed = run.results.filter(({ passed }) => !passed).length;
  const outcome =
    failed === 0 ? `${plural(run.results.length, 'test case')} passed` : `${failed} of ${plural(run.results.length, 'test case')} failed`;
  const parts = [
    `${title}: ${outcome}`,
    ...(summary?.model ? [summary.model] : []),
    ...(summary?.cost == null ? [] : [formatCost(summary.cost)]),
  ];
  return (
    <div role="status" className="space-y-0.5">
      <p>{parts.join(' · ')}</p>
      {against && <p className="text-ink-2">{describeChanges(rows, against.title)}</p>}
      {summary && !summary.current && <p className="text-warn text-xs">The test cases have changed since this run.</p>}
    </div>
  );
}

/** Returns a summary such as "Compared with v2: 1 better, 2 worse, 17 unchanged." */
function describeChanges(rows: CaseRowData[], title: string): string {
  const both = rows.filter(({ result, against }) => result && against);
  const better = both.filter(({ change }) => change === 'better').length;
  const worse = both.filter(({ change }) => change === 'worse').length;
  return `Compared with ${title}: ${better} better, ${worse} worse, ${both.length - better - worse} unchanged.`;
}
