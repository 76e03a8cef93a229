import { useId, useState } from 'react';
import { Field } from '../ui/Field.tsx';

const maxReasonLength = 500;

interface OverrideProps {
  /** The action that the user takes by overriding a rule. */
  text: string;
  /** The reason. Undefined if the user does not override the rule. */
  value: string | undefined;
  onChange: (reason: string | undefined) => void;
}

/** Lets a user who may override a label's rule do so by giving a reason. */
export function Override({ text, value, onChange }: OverrideProps) {
  const id = useId();
  const [typed, setTyped] = useState(value ?? '');
  return (
    <div className="space-y-2 border-line border-t pt-3">
      <label htmlFor={id} className="flex cursor-pointer items-center gap-2">
        <input
          id={id}
          type="checkbox"
          className="accent-accent"
          checked={value !== undefined}
          onChange={(event) => onChange(event.target.checked ? typed : undefined)}
        />
        {text} (recorded as an override)
      </label>
      {value !== undefined && (
        <Field
          label="Reason"
          autoFocus
          maxLength={maxReasonLength}
          placeholder="Hotfix for the outage"
          hint="Shown in the history and in events."
          value={value}
          onChange={(event) => {
            setTyped(event.target.value);
            onChange(event.target.value);
          }}
        />
      )}
    </div>
  );
}
