import { useId } from 'react';
import { maxProposalTextLength } from '../../../src/contract/limits.ts';
import { cx } from '../lib/cx.ts';
import { inputClass } from '../ui/Field.tsx';

interface TextAreaProps {
  label: string;
  hint?: string;
  value: string;
  autoFocus?: boolean;
  onChange: (text: string) => void;
}

/** A field for text of several lines that belongs to a proposal. */
export function TextArea({ label, hint, value, autoFocus, onChange }: TextAreaProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-medium">
        {label}
      </label>
      <textarea
        id={id}
        dir="auto"
        rows={3}
        maxLength={maxProposalTextLength}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        // biome-ignore lint/a11y/noAutofocus: the user opened a dialog to enter this text.
        autoFocus={autoFocus}
        className={cx(inputClass, 'field-sizing-content h-auto min-h-20 py-1.5')}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className="mt-1.5 text-ink-3 text-xs">
          {hint}
        </p>
      )}
    </div>
  );
}
