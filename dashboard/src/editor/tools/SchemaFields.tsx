import { useId, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { ErrorText, inputClass } from '../../ui/Field.tsx';
import { formatJson, isObject, parseJson } from '../preview/preview-values.ts';
import { areaClass } from '../preview/ShapeField.tsx';

interface NameFieldProps {
  label: string;
  name: string;
  taken: string[];
  onChange: (name: string) => void;
}

/** Edits a name that must be unique. A name that is not unique stays in the field, and the schema keeps the last unique name. */
export function NameField({ label, name, taken, onChange }: NameFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? name;
  const problem = typed === undefined ? undefined : typed === '' ? 'Enter a name.' : 'This name is taken.';
  const isUnusual = !/^[\w.-]{1,64}$/.test(shown);
  const change = (text: string) => {
    const isUsable = text !== '' && !taken.includes(text);
    setTyped(isUsable ? undefined : text);
    if (isUsable) onChange(text);
  };
  return (
    <>
      <input
        aria-label={label}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-error ${id}-note`}
        spellCheck={false}
        autoComplete="off"
        className={cx(inputClass, 'font-mono text-xs')}
        value={shown}
        onFocus={(event) => event.target.select()}
        onChange={(event) => change(event.target.value)}
        onBlur={() => setTyped(undefined)}
      />
      <ErrorText id={`${id}-error`}>{problem}</ErrorText>
      {problem === undefined && isUnusual && (
        <p id={`${id}-note`} className="mt-1.5 text-warn text-xs">
          Some models refuse this name. Use up to 64 letters, digits, “_”, “.” and “-”.
        </p>
      )}
    </>
  );
}

/** Edits a list of values, one per line. The lines stay as the user typed them, because an empty line may become the next value. */
export function ValuesField({ label, values, onChange }: { label: string; values: string[]; onChange: (values: string[]) => void }) {
  const id = useId();
  const [typed, setTyped] = useState(() => values.join('\n'));
  const shown = isSameList(linesOf(typed), values) ? typed : values.join('\n');
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-ink-2 text-xs">
        Values, one per line
      </label>
      <textarea
        id={id}
        aria-label={label}
        aria-invalid={values.length === 0 ? true : undefined}
        aria-describedby={`${id}-error`}
        rows={Math.min(6, Math.max(2, shown.split('\n').length))}
        spellCheck={false}
        className={cx(inputClass, areaClass)}
        value={shown}
        onChange={(event) => {
          setTyped(event.target.value);
          onChange(linesOf(event.target.value));
        }}
      />
      <ErrorText id={`${id}-error`}>{values.length === 0 ? 'Enter at least one value.' : undefined}</ErrorText>
    </div>
  );
}

function linesOf(text: string): string[] {
  return [...new Set(text.split('\n').filter((line) => line.trim() !== ''))];
}

function isSameList(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index]);
}

/** Edits a schema that the form cannot show. JSON that is not valid stays in the field, and the schema keeps the last valid JSON. */
export function SchemaJson({ label, schema, onChange }: { label: string; schema: unknown; onChange: (schema: unknown) => void }) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? formatJson(schema);
  const parsed = parseJson(shown);
  const problem = parsed.ok ? (isObject(parsed.value) ? undefined : 'Must be an object.') : parsed.error;
  const change = (text: string) => {
    const next = parseJson(text);
    setTyped(text);
    if (next.ok && isObject(next.value)) onChange(next.value);
  };
  return (
    <>
      <textarea
        aria-label={label}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={`${id}-error`}
        rows={Math.min(12, shown.split('\n').length)}
        spellCheck={false}
        className={cx(inputClass, areaClass, 'font-mono text-xs')}
        value={shown}
        onChange={(event) => change(event.target.value)}
        onBlur={() => problem === undefined && setTyped(undefined)}
      />
      <ErrorText id={`${id}-error`}>{problem}</ErrorText>
    </>
  );
}
