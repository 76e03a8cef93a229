import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { promptResultsQuery } from '../results/queries.ts';
import { listScores } from '../results/scores.ts';
import { useTimeZone } from '../stats/time-zone.ts';
import { ErrorText, inputClass } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import { scoreMetric, titleMetric } from './metrics.ts';
import type { GuardForm, ReleaseForm } from './release-form.ts';

interface GuardFieldsProps {
  name: string;
  version: number;
  guards: ReleaseForm['guards'];
  onRegression: ReleaseForm['onRegression'];
  problem: string | undefined;
  onChange: (change: Partial<ReleaseForm>) => void;
}

/** Selects the metrics that the version must not make worse, and the reaction if it does. */
export function GuardFields({ name, version, guards, onRegression, problem, onChange }: GuardFieldsProps) {
  const metrics = useMetrics(name);
  const id = useId();
  const set = (metric: string, guard: GuardForm) => onChange({ guards: { ...guards, [metric]: guard } });
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">{`v${version} must not be worse in`}</legend>
      <ul className="divide-y divide-line rounded-md border border-line">
        {metrics.map(({ metric, unit, margin }) => (
          <GuardRow
            key={metric}
            metric={metric}
            unit={unit}
            guard={guards[metric] ?? { isOn: false, margin, better: metric.startsWith('score:') ? 'higher' : 'lower' }}
            onChange={(guard) => set(metric, guard)}
          />
        ))}
      </ul>
      <ErrorText id={`${id}-error`}>{problem}</ErrorText>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <label htmlFor={id}>If it is worse:</label>
        <Select
          id={id}
          value={onRegression}
          onChange={(event) => onChange({ onRegression: event.target.value === 'pause' ? 'pause' : 'rollback' })}
        >
          <option value="rollback">roll back automatically</option>
          <option value="pause">pause and wait for a person</option>
        </Select>
      </div>
    </fieldset>
  );
}

interface GuardRowProps {
  metric: string;
  unit: string;
  guard: GuardForm;
  onChange: (guard: GuardForm) => void;
}

function GuardRow({ metric, unit, guard, onChange }: GuardRowProps) {
  const title = titleMetric(metric);
  const isScore = metric.startsWith('score:');
  return (
    <li className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-1.5">
      <label className="flex min-w-0 cursor-pointer items-center gap-2">
        <input
          type="checkbox"
          className="shrink-0 accent-accent"
          checked={guard.isOn}
          onChange={(event) => onChange({ ...guard, isOn: event.target.checked })}
        />
        <span dir="auto" className="min-w-0 wrap-anywhere">
          {title}
          {isScore && <span className="text-ink-3"> (score)</span>}
        </span>
      </label>
      {guard.isOn && (
        <span className="flex items-center gap-1.5 text-ink-2">
          <span aria-hidden>up to</span>
          <input
            aria-label={`Margin of ${title}${unit === '' ? '' : ` in ${unit}`}`}
            inputMode="decimal"
            autoComplete="off"
            className={`${inputClass} max-w-16 text-right tabular`}
            value={guard.margin}
            onChange={(event) => onChange({ ...guard, margin: event.target.value })}
          />
          {isScore ? (
            <Select
              aria-label={`Which values of ${title} are worse`}
              value={guard.better}
              onChange={(event) => onChange({ ...guard, better: event.target.value === 'lower' ? 'lower' : 'higher' })}
            >
              <option value="higher">lower</option>
              <option value="lower">higher</option>
            </Select>
          ) : (
            <span aria-hidden>{`${unit} ${metric === 'latency' ? 'slower' : 'more'}`}</span>
          )}
        </span>
      )}
    </li>
  );
}

interface Measure {
  metric: string;
  /** The unit of the margin. Scores have no unit. */
  unit: string;
  /** The default margin. */
  margin: string;
}

const fixed: Measure[] = [
  { metric: 'errorRate', unit: 'points', margin: '2' },
  { metric: 'latency', unit: '%', margin: '10' },
  { metric: 'cost', unit: '%', margin: '10' },
];

/**
 * Returns the metrics that a release can watch: the fixed metrics, and the scores from the last 30 days. Categories are left out, because
 * they have no mean.
 */
export function useMetrics(name: string): Measure[] {
  const { data } = useQuery({ ...promptResultsQuery({ range: '30d' }, useTimeZone(), name), refetchInterval: false });
  const scores = data ? listScores([data.totals]).filter(({ kind }) => kind !== 'category') : [];
  const names = [...new Set(scores.map((score) => score.name))];
  return [...fixed, ...names.map((score) => ({ metric: scoreMetric(score), unit: '', margin: '0.05' }))];
}
