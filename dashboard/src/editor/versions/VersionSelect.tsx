import { useId } from 'react';
import type { Prompt } from '../../lib/types.ts';
import { Select } from '../../ui/Select.tsx';
import { versionsOf } from './version-numbers.ts';

interface VersionSelectProps {
  label: string;
  /** Otherwise the label is for screen readers only. */
  isLabelVisible?: boolean;
  prompt: Prompt;
  value: number;
  onChange: (version: number) => void;
}

/** Chooses a version, each with the labels that point at it. */
export function VersionSelect({ label, isLabelVisible = false, prompt, value, onChange }: VersionSelectProps) {
  const id = useId();
  const namesOf = (version: number) =>
    Object.entries(prompt.labels)
      .filter(([, target]) => target === version)
      .map(([name]) => name)
      .join(', ');
  const select = (
    <Select
      id={id}
      {...(!isLabelVisible && { 'aria-label': label })}
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
    >
      {versionsOf(prompt).map((version) => (
        <option key={version} value={version}>
          v{version}
          {namesOf(version) && ` (${namesOf(version)})`}
        </option>
      ))}
    </Select>
  );
  if (!isLabelVisible) return select;
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1.5 block font-medium">
        {label}
      </label>
      {select}
    </div>
  );
}
