import { memo, useId } from 'react';
import { cx } from '../../lib/cx.ts';
import type { Variable } from '../../lib/types.ts';
import { ErrorText, inputClass } from '../../ui/Field.tsx';
import { type Entry, emptyValue, exampleValue, fitsForm, formatJson, parseJson } from './preview-values.ts';
import { areaClass, ShapeField } from './ShapeField.tsx';

interface VariableFieldProps {
  variable: Variable;
  /** Whether the variable holds the caller's messages. */
  isMessages: boolean;
  entry: Entry | undefined;
  onChange: (name: string, entry: Entry) => void;
}

/** Edits one variable: whether it is sent, and its value as a form or as JSON. Memoized, because a template may have 500 variables. */
export const VariableField = memo(function VariableField({ variable, isMessages, entry, onChange }: VariableFieldProps) {
  const id = useId();
  const { name, required } = variable;
  const isGiven = entry?.isGiven ?? false;
  // The value may not have the type that the template uses now, for example after the template has changed.
  const isUnfit = isGiven && entry?.json === undefined && !fitsForm(variable, entry?.value);
  const json = isUnfit ? formatJson(entry?.value) : entry?.json;
  const set = (next: Partial<Entry>) => onChange(name, { isGiven, value: entry?.value, ...next });
  const give = (isGivenNow: boolean) => {
    const value = entry?.value ?? emptyValue(variable);
    set({ isGiven: isGivenNow, value, ...(entry?.json === '' && { json: formatJson(value) }) });
  };
  const isGrouped = json === undefined && (variable.kind === 'list' || variable.kind === 'object');

  return (
    <fieldset aria-label={`Variable ${name}`} className="min-w-0">
      <div className="mb-1 flex h-5 items-center gap-2">
        <input
          type="checkbox"
          aria-label={`Set ${name}`}
          title={isGiven ? 'Set' : 'Not set'}
          className="size-3.5 shrink-0 accent-accent"
          checked={isGiven}
          onChange={(event) => give(event.target.checked)}
        />
        {isGrouped ? (
          <code className="truncate font-mono text-xs">{name}</code>
        ) : (
          <label htmlFor={id} className="truncate font-mono text-xs">
            {name}
          </label>
        )}
        {required ? !isGiven && <span className="text-2xs text-warn">missing</span> : <span className="text-2xs text-ink-3">optional</span>}
        <JsonSwitch variable={variable} json={json} isUnfit={isUnfit} entry={entry} onChange={set} />
      </div>
      {json === undefined ? (
        <ShapeField
          id={id}
          shape={variable}
          path={name}
          isMessages={isMessages}
          isGiven={isGiven}
          value={isGiven ? entry?.value : undefined}
          onChange={(value) => set({ isGiven: true, value })}
        />
      ) : (
        <JsonField id={id} variable={variable} json={isGiven ? json : ''} isUnfit={isUnfit} onChange={set} />
      )}
    </fieldset>
  );
});

interface JsonSwitchProps {
  variable: Variable;
  json: string | undefined;
  isUnfit: boolean;
  entry: Entry | undefined;
  onChange: (next: Partial<Entry>) => void;
}

/** Switches between form and JSON. The user can switch back to the form only if it can show the value of the JSON. */
function JsonSwitch({ variable, json, isUnfit, entry, onChange }: JsonSwitchProps) {
  const isOpen = json !== undefined;
  const isGiven = entry?.isGiven ?? false;
  const parsed = isOpen && isGiven ? parseJson(json) : undefined;
  const obstacle =
    parsed && (!parsed.ok ? 'Fix the JSON first' : fitsForm(variable, parsed.value) ? undefined : 'The form cannot show this value');
  return (
    <button
      type="button"
      aria-label={`Edit ${variable.name} as JSON`}
      aria-pressed={isOpen}
      title={obstacle ?? (isOpen ? 'Edit in the form' : 'Edit as JSON')}
      disabled={isUnfit || obstacle !== undefined}
      onClick={() => onChange({ json: isOpen ? undefined : isGiven ? formatJson(entry?.value) : '' })}
      className={cx(
        'ml-auto h-5 shrink-0 rounded-sm px-1.5 font-medium text-2xs transition-colors duration-100 disabled:opacity-55',
        isOpen ? 'bg-accent-soft text-accent-ink' : 'text-ink-3 hover:bg-hover hover:text-ink',
      )}
    >
      JSON
    </button>
  );
}

interface JsonFieldProps {
  id: string;
  variable: Variable;
  json: string;
  isUnfit: boolean;
  onChange: (next: Partial<Entry>) => void;
}

function JsonField({ id, variable, json, isUnfit, onChange }: JsonFieldProps) {
  const parsed = json.trim() === '' ? undefined : parseJson(json);
  const error = parsed && !parsed.ok ? parsed.error : undefined;
  const change = (text: string) => {
    const next = parseJson(text);
    onChange({ isGiven: text.trim() !== '', json: text, ...(next.ok && { value: next.value }) });
  };
  return (
    <>
      <textarea
        id={id}
        dir="auto"
        rows={Math.min(10, json.split('\n').length + 1)}
        spellCheck={false}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={`${id}-error`}
        placeholder={`Not set. Example: ${JSON.stringify(exampleValue(variable))}`}
        className={cx(inputClass, areaClass, 'font-mono text-xs')}
        value={json}
        onChange={(event) => change(event.target.value)}
      />
      <ErrorText id={`${id}-error`}>{error}</ErrorText>
      {isUnfit && <p className="mt-1 text-ink-3 text-xs">This value does not match how the template uses it. Clear it to use the form.</p>}
    </>
  );
}
