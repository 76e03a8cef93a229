interface CheckboxProps {
  /** The label for screen readers. The list has no space for text next to the checkbox. */
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
      // The click event is used, because a change event does not say whether Shift is held.
      onClick={(event) => onChange({ shiftKey: event.shiftKey })}
      onChange={() => {}}
    />
  );
}
