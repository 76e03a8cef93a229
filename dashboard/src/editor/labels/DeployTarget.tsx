import { Lock } from 'lucide-react';
import { useId } from 'react';
import type { Prompt } from '../../lib/types.ts';
import { useWorkspace } from '../../lib/workspace.ts';
import { ErrorText, inputClass } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { VersionSelect } from '../versions/VersionSelect.tsx';
import { findLabelProblem, offeredLabels } from './labels.ts';

/** The label that the user has selected, or the name of a new one. */
export interface Target {
  version: number;
  choice: string;
  typed: string;
}

const other = 'Other label…';

export function firstTarget(prompt: Prompt, { version, label }: { version: number; label: string }): Target {
  return offeredLabels(prompt.labels).includes(label) ? { version, choice: label, typed: '' } : { version, choice: other, typed: label };
}

export function labelOf({ choice, typed }: Target): string {
  return choice === other ? typed.trim() : choice;
}

interface DeployTargetProps {
  prompt: Prompt;
  target: Target;
  onChange: (change: Partial<Target>) => void;
}

/** Selects a version and the label to deploy it to. */
export function DeployTarget({ prompt, target, onChange }: DeployTargetProps) {
  const labelId = useId();
  const { protectedLabels } = useWorkspace();
  const { version, choice, typed } = target;
  const label = labelOf(target);
  const problem = label === '' ? undefined : findLabelProblem(label);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end gap-3">
        <VersionSelect
          label="Version"
          isLabelVisible
          prompt={prompt}
          value={version}
          onChange={(chosen) => onChange({ version: chosen })}
        />
        <div className="min-w-0">
          <label htmlFor={labelId} className="mb-1.5 flex items-center gap-1.5 font-medium">
            To
            {protectedLabels.includes(label) && <Lock role="img" aria-label="(protected)" className="size-3 text-ink-3" />}
          </label>
          <Select id={labelId} value={choice} onChange={(event) => onChange({ choice: event.target.value })}>
            {[...offeredLabels(prompt.labels), other].map((each) => (
              <option key={each}>{each}</option>
            ))}
          </Select>
        </div>
        {choice === other && (
          <span className="w-40">
            <input
              aria-label="New label"
              aria-invalid={problem ? true : undefined}
              aria-describedby={problem && `${labelId}-error`}
              placeholder="canary"
              spellCheck={false}
              autoCapitalize="none"
              className={inputClass}
              value={typed}
              onChange={(event) => onChange({ typed: event.target.value })}
            />
          </span>
        )}
      </div>
      <ErrorText id={`${labelId}-error`}>{problem}</ErrorText>
      {choice === other && label === '' && <p className="-mt-2 mb-4 text-ink-3 text-xs">Enter the name of the label to deploy to.</p>}
    </>
  );
}
