import { Field } from '../ui/Field.tsx';

interface CodeFieldProps {
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  /** Whether a recovery code is accepted too. */
  recovery?: boolean;
  /** The text that says what to enter, if it is not the code from an authenticator app. */
  hint?: string | undefined;
  autoFocus?: boolean;
}

/** The field for the second factor. */
export function CodeField({ value, onChange, error, recovery = true, hint, autoFocus = true }: CodeFieldProps) {
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
      hint={
        hint ??
        (recovery ? 'The 6-digit code from your authenticator app, or a recovery code.' : 'The 6-digit code from your authenticator app.')
      }
    />
  );
}
