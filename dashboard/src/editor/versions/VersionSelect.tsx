import { useId } from 'react';
import type { Prompt } from '../../lib/types.ts';
import { Select } from '../../ui/Select.tsx';
import { useVersionTitles } from './use-version-titles.ts';
import { versionsOf } from './version-numbers.ts';

interface VersionSelectProps {
  label: string;
  /** If false, the label is for screen readers only. */
  isLabelVisible?: boolean;
  className?: string;
  prompt: Prompt;
  value: number;
  onChange: (version: number) => void;
}

/** Selects a version. Each option shows the labels that point at it, its message and its date. */
export function VersionSelect({ label, isLabelVisible = false, className, prompt, value, onChange }: VersionSelectProps) {
  const id = useId();
  const titleOf = useVersionTitles(prompt);
  const select = (
    <Select
      id={id}
      className={className}
      {...(!isLabelVisible && { 'aria-label': label })}
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
    >
      {versionsOf(prompt).map((version) => (
        <option key={version} value={version}>
          {titleOf(version)}
        </option>
      ))}
    </Select>
  );
  if (!isLabelVisible) return select;
  return (
    <div className="min-w-0 sm:max-w-sm">
      <label htmlFor={id} className="mb-1.5 block font-medium">
        {label}
      </label>
      {select}
    </div>
  );
}
