import { Lock } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { Prompt } from '../../lib/types.ts';
import { useWorkspace } from '../../lib/workspace.ts';
import { ErrorText, inputClass } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { findLabelProblem, offeredLabels } from './labels.ts';

/** The label that the user has selected, or the name of a new one. */
export interface ChosenLabel {
  choice: string;
  typed: string;
}

const other = 'Other label…';

export function chooseLabel(prompt: Prompt, label: string): ChosenLabel {
  return offeredLabels(prompt.labels).includes(label) ? { choice: label, typed: '' } : { choice: other, typed: label };
}

export function labelOf({ choice, typed }: ChosenLabel): string {
  return choice === other ? typed.trim() : choice;
}

interface LabelSelectProps {
  prompt: Prompt;
  target: ChosenLabel;
  onChange: (change: Partial<ChosenLabel>) => void;
  /** A field that is shown before the label. */
  children?: ReactNode;
}

/** Selects one of the labels of a prompt, or a new one. */
export function LabelSelect({ prompt, target, onChange, children }: LabelSelectProps) {
  const labelId = useId();
  const { protectedLabels } = useWorkspace();
  const { choice, typed } = target;
  const label = labelOf(target);
  const problem = label === '' ? undefined : findLabelProblem(label);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end gap-3">
        {children}
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
