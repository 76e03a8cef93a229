import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { rateStrength } from './strength.ts';

interface PasswordFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  autoComplete: 'current-password' | 'new-password';
  /** If set, the field shows the strength of a new password. A password that resembles this email is weak. */
  choosing?: { email: string };
  autoFocus?: boolean;
}

export function PasswordField({ label, value, onChange, error, autoComplete, choosing, autoFocus }: PasswordFieldProps) {
  const [visible, setVisible] = useState(false);
  const Icon = visible ? EyeOff : Eye;
  return (
    <Field
      label={label}
      type={visible ? 'text' : 'password'}
      autoComplete={autoComplete}
      required
      spellCheck={false}
      autoCapitalize="none"
      autoFocus={autoFocus}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={error}
      hint={choosing && <StrengthMeter password={value} email={choosing.email} />}
      action={
        <IconButton label={visible ? 'Hide password' : 'Show password'} onClick={() => setVisible(!visible)}>
          <Icon aria-hidden className="size-4" />
        </IconButton>
      }
    />
  );
}

function StrengthMeter({ password, email }: { password: string; email: string }) {
  const { score, text } = rateStrength(password, email);
  return (
    <>
      <div aria-hidden className="flex gap-1 pt-0.5 pb-1.5">
        {[1, 2, 3, 4].map((step) => (
          <div key={step} className={`h-1 flex-1 rounded-full transition-colors ${step <= score ? colors[score] : 'bg-line'}`} />
        ))}
      </div>
      <span aria-live="polite">{text}</span>
    </>
  );
}

const colors = ['bg-line', 'bg-danger', 'bg-warn', 'bg-accent', 'bg-accent'];
