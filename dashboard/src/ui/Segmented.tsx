import { ToggleGroup } from 'radix-ui';

interface SegmentedProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; label: string; disabled?: boolean }[];
  onChange: (value: T) => void;
}

/** A choice between a few visible options. */
export function Segmented<T extends string>({ label, value, options, onChange }: SegmentedProps<T>) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        const option = options.find((each) => each.value === next);
        if (option) onChange(option.value);
      }}
      className="inline-flex h-8 rounded-md border border-line-strong bg-surface p-0.5 shadow-card"
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          disabled={option.disabled ?? false}
          className="rounded-sm px-2.5 font-medium text-ink-3 text-xs not-disabled:hover:text-ink disabled:opacity-50 data-[state=on]:bg-hover data-[state=on]:text-ink"
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
