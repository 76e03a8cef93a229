import { useId, useState } from 'react';
import { fullWeight } from '../../../src/contract/release-assignment.ts';
import { ErrorText, inputClass } from '../ui/Field.tsx';
import { formatWeight } from './release.ts';
import { minWeight, parseWeight } from './release-form.ts';

interface ShareFieldProps {
  /** The accessible name of the field, such as "Share of v4". */
  label: string;
  value: number;
  /** The smallest and the largest weight. */
  min?: number;
  max?: number;
  onChange: (weight: number | undefined) => void;
}

/** The shares at which the slider stops. Small shares are close together, because a release starts with one of them. */
const stops = [10, 20, 50, 100, 200, 300, 500, 1000, 1500, 2000, 2500, 3000, 4000, 5000, 6000, 7000, 7500, 8000, 9000, fullWeight];

/** Edits a share of all callers, with a slider for the usual shares and a field for all others. */
export function ShareField({ label, value, min = minWeight, max = fullWeight, onChange }: ShareFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const offered = [...new Set([min, ...stops.filter((stop) => stop > min && stop < max), max])];
  const problem = typed === undefined ? undefined : findProblem(typed, min, max);
  const type = (text: string) => {
    setTyped(text);
    onChange(findProblem(text, min, max) === undefined ? parseWeight(text) : undefined);
  };
  const slide = (stop: number) => {
    setTyped(undefined);
    onChange(offered[stop] ?? min);
  };
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-medium">
        {label}
      </label>
      <div className="flex items-center gap-3">
        <input
          type="range"
          aria-label={`${label}, slider`}
          aria-valuetext={formatWeight(value)}
          className="h-8 min-w-0 flex-1 cursor-pointer accent-accent"
          min={0}
          max={offered.length - 1}
          value={offered.findLastIndex((stop) => stop <= value)}
          onChange={(event) => slide(Number(event.target.value))}
        />
        <span className="flex w-24 shrink-0 items-center gap-1.5">
          <input
            id={id}
            inputMode="decimal"
            autoComplete="off"
            className={`${inputClass} text-right tabular`}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem && `${id}-error`}
            value={typed ?? formatWeight(value).replace('%', '')}
            onChange={(event) => type(event.target.value)}
            onBlur={() => problem === undefined && setTyped(undefined)}
          />
          %
        </span>
      </div>
      <ErrorText id={`${id}-error`}>{problem}</ErrorText>
    </div>
  );
}

function findProblem(text: string, min: number, max: number): string | undefined {
  const weight = parseWeight(text);
  if (weight !== undefined && weight >= min && weight <= max) return undefined;
  return `Enter a share between ${formatWeight(min)} and ${formatWeight(max)}.`;
}
