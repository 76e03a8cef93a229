import { useState } from 'react';
import { cx } from '../../lib/cx.ts';
import type { Variable } from '../../lib/types.ts';
import { inputClass } from '../../ui/Field.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { Select } from '../../ui/Select.tsx';
import { ImageField } from './ImageField.tsx';

interface TypedFieldProps {
  id: string;
  variable: Variable;
  /** The value. Undefined if the variable has none. */
  value: unknown;
  errorId: string | undefined;
  /** Called with undefined if the field was emptied. */
  onChange: (value: unknown) => void;
}

/** The types whose values have a special field. Values of other types are entered by their shape or as JSON. */
export const typedKinds = ['number', 'boolean', 'enum', 'image'];

/** A field for a variable of a declared type. */
export function TypedField(props: TypedFieldProps) {
  const { id, variable, value, errorId, onChange } = props;
  switch (variable.type) {
    case 'boolean':
      return (
        <Segmented
          label={variable.name}
          value={typeof value === 'boolean' ? String(value) : ''}
          options={[
            { value: 'true', label: 'True' },
            { value: 'false', label: 'False' },
          ]}
          onChange={(chosen) => onChange(chosen === 'true')}
        />
      );
    case 'enum':
      return <ChoiceField {...props} />;
    case 'image':
      return <ImageField id={id} name={variable.name} value={value} hint={hintOf(variable)} errorId={errorId} onChange={onChange} />;
    default:
      return <NumberField {...props} />;
  }
}

/** Returns the hint for an empty field: the default that is used, or an example. */
export function hintOf({ default: used, example }: Variable): string {
  if (used !== undefined) return `Default: ${toText(used)}`;
  return example === undefined ? 'Not set' : `Example: ${toText(example)}`;
}

function toText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/**
 * A field that keeps the text as it was typed, because a user who types `1.` may continue with `1.5`. Text that is not a number is also
 * kept, and is refused.
 */
function NumberField({ id, variable, value, errorId, onChange }: TypedFieldProps) {
  const [typed, setTyped] = useState('');
  const shown = value === undefined ? '' : typed.trim() !== '' && Number(typed) === value ? typed : String(value);
  const change = (text: string) => {
    setTyped(text);
    if (text.trim() === '') onChange(undefined);
    else onChange(Number.isFinite(Number(text)) ? Number(text) : text);
  };
  return (
    <input
      id={id}
      inputMode="decimal"
      autoComplete="off"
      placeholder={hintOf(variable)}
      aria-invalid={errorId === undefined ? undefined : true}
      aria-describedby={errorId}
      className={cx(inputClass, 'tabular')}
      value={shown}
      onChange={(event) => change(event.target.value)}
    />
  );
}

function ChoiceField({ id, variable, value, errorId, onChange }: TypedFieldProps) {
  const { values = [] } = variable;
  const chosen = value === undefined ? '' : String(value);
  return (
    <Select
      id={id}
      className="w-full"
      aria-invalid={errorId === undefined ? undefined : true}
      aria-describedby={errorId}
      value={chosen}
      onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
    >
      <option value="">{hintOf(variable)}</option>
      {[...new Set([...values, ...(chosen === '' ? [] : [chosen])])].map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </Select>
  );
}
