import { useId } from 'react';

interface SegmentedProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; label: string; disabled?: boolean }[];
  onChange: (value: T) => void;
}

/** A choice between a few visible options. */
export function Segmented<T extends string>({ label, value, options, onChange }: SegmentedProps<T>) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="inline-flex flex-wrap rounded-md border border-line-strong bg-surface p-0.5 shadow-card"
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="relative flex h-6.5 items-center rounded-sm px-2.5 font-medium text-ink-3 text-xs not-has-disabled:hover:text-ink has-checked:bg-hover has-checked:text-ink has-disabled:opacity-50 has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            disabled={option.disabled ?? false}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 size-full cursor-pointer appearance-none rounded-sm border-0 bg-transparent outline-none disabled:cursor-default"
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
