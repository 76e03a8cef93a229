import type { ReactNode } from 'react';

interface SwitchProps {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A setting that takes effect at once, unlike a checkbox in a form. */
export function Switch({ label, hint, checked, onChange }: SwitchProps) {
  return (
    <label className="flex cursor-pointer items-start gap-3">
      <input
        type="checkbox"
        role="switch"
        className="peer sr-only"
        aria-checked={checked}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span
        aria-hidden
        className="relative mt-0.5 h-4 w-7 shrink-0 rounded-full bg-ink-3 outline-offset-2 transition-colors duration-100 after:absolute after:top-0.5 after:left-0.5 after:size-3 after:rounded-full after:bg-surface after:transition-transform after:duration-100 peer-checked:bg-accent peer-checked:after:translate-x-3 peer-focus-visible:outline-2 peer-focus-visible:outline-accent"
      />
      <span className="min-w-0">
        {label}
        {hint !== undefined && <span className="block text-ink-3 text-xs break-words">{hint}</span>}
      </span>
    </label>
  );
}
