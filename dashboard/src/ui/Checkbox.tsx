interface CheckboxProps {
  /** For screen readers: the list has no room for a text beside it. */
  label: string;
  checked: boolean;
  indeterminate?: boolean;
  onChange: (event: { shiftKey: boolean }) => void;
  tabIndex?: number;
}

export function Checkbox({ label, checked, indeterminate = false, onChange, tabIndex }: CheckboxProps) {
  return (
    <input
      type="checkbox"
      aria-label={label}
      title={label}
      className="size-4 shrink-0 accent-accent"
      checked={checked}
      ref={(element) => {
        if (element) element.indeterminate = indeterminate;
      }}
      tabIndex={tabIndex}
      // A change event does not tell whether Shift is held.
      onClick={(event) => onChange({ shiftKey: event.shiftKey })}
      onChange={() => {}}
    />
  );
}
