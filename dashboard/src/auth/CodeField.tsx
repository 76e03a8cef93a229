import { Field } from '../ui/Field.tsx';

interface CodeFieldProps {
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  /** A recovery code is taken too. */
  recovery?: boolean;
  autoFocus?: boolean;
}

/** The second factor. */
export function CodeField({ value, onChange, error, recovery = true, autoFocus = true }: CodeFieldProps) {
  return (
    <Field
      label="Code"
      autoComplete="one-time-code"
      inputMode={recovery ? 'text' : 'numeric'}
      spellCheck={false}
      autoCapitalize="none"
      autoFocus={autoFocus}
      required
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={error}
      hint={recovery ? 'The six digits of your authenticator app, or a recovery code.' : 'The six digits your authenticator app shows.'}
    />
  );
}
