import { formatAgo } from '../lib/format.ts';
import type { CheckSummary } from '../lib/types.ts';
import { Select } from '../ui/Select.tsx';
import { describeOutcome, titleOf } from './results.ts';

interface RunSelectProps {
  label: string;
  checks: CheckSummary[];
  value: string;
  /** The text to show while no run is selected. */
  none: string | undefined;
  onChange: (id: string) => void;
}

/** Selects one of the stored check runs, by version. */
export function RunSelect({ label, checks, value, none, onChange }: RunSelectProps) {
  const byVersion = [...Map.groupBy(checks, ({ version }) => version)].sort(([a], [b]) => (b ?? 0) - (a ?? 0));
  return (
    <Select aria-label={label} className="max-w-xs" value={value} onChange={(event) => onChange(event.target.value)}>
      {none !== undefined && <option value="">{none}</option>}
      {byVersion.map(([version, runs]) => (
        <optgroup key={version} label={version === null ? 'Candidates' : `Version ${version}`}>
          {runs.map((run) => (
            <option key={run.id} value={run.id}>
              {describe(run)}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  );
}

function describe(run: CheckSummary): string {
  const { model, createdAt, current } = run;
  return [
    titleOf(run),
    describeOutcome(run),
    ...(model === null ? [] : [model]),
    formatAgo(createdAt),
    ...(current ? [] : ['other test cases']),
  ].join(' · ');
}
