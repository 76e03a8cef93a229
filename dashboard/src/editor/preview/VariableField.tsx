import { Settings2 } from 'lucide-react';
import { memo, useId } from 'react';
import { cx } from '../../lib/cx.ts';
import type { Shape, Variable } from '../../lib/types.ts';
import { ErrorText, inputClass } from '../../ui/Field.tsx';
import { type Entry, emptyValue, exampleOf, findEntryProblem, fitsForm, formatJson, parseJson } from './preview-values.ts';
import { areaClass, ShapeField } from './ShapeField.tsx';
import { hintOf, TypedField, typedKinds } from './TypedField.tsx';

interface VariableFieldProps {
  variable: Variable;
  /** Whether the variable holds the caller's messages. */
  isMessages: boolean;
  entry: Entry | undefined;
  onChange: (name: string, entry: Entry) => void;
  /** Opens the form that declares the type of the variable. Undefined if it cannot be declared here. */
  onDeclare?: ((variable: Variable) => void) | undefined;
}

/**
 * Edits one variable: whether it is sent, and its value in a form or as JSON. The component is memoized, because a template may have 500
 * variables.
 */
export const VariableField = memo(function VariableField({ variable, isMessages, entry, onChange, onDeclare }: VariableFieldProps) {
  const id = useId();
  const { name, required, description } = variable;
  const isGiven = entry?.isGiven ?? false;
  // The value may not have the type that the template uses now, for example after the template has changed.
  const shape = shapeOf(variable);
  const isUnfit = isGiven && entry?.json === undefined && !fitsForm(shape, entry?.value);
  const json = isUnfit ? formatJson(entry?.value) : (entry?.json ?? (isJsonOnly(variable) ? '' : undefined));
  const problem = findEntryProblem(variable, entry);
  const errorId = problem === undefined ? undefined : `${id}-problem`;
  const set = (next: Partial<Entry>) => onChange(name, { isGiven, value: entry?.value, ...next });
  const give = (isGivenNow: boolean) => {
    const value = entry?.value ?? startValue(variable);
    set({ isGiven: isGivenNow, value, ...((entry?.json === '' || isJsonOnly(variable)) && { json: formatJson(value) }) });
  };
  const isTyped = typedKinds.includes(variable.type ?? '');
  const isGrouped = json === undefined && !isTyped && (shape.kind === 'list' || shape.kind === 'object');

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
        <span className="ml-auto flex items-center">
          {(!isTyped || json !== undefined) && !isJsonOnly(variable) && (
            <JsonSwitch variable={variable} json={json} isUnfit={isUnfit} entry={entry} onChange={set} />
          )}
          {onDeclare && !isMessages && (
            <button
              type="button"
              aria-label={`Describe ${name}`}
              title={`Describe ${name}: type, description, default`}
              onClick={() => onDeclare(variable)}
              className="flex h-5 items-center rounded-sm px-1.5 text-ink-3 transition-colors duration-100 hover:bg-hover hover:text-ink"
            >
              <Settings2 aria-hidden className="size-3.5" />
            </button>
          )}
        </span>
      </div>
      {description !== undefined && (
        <p dir="auto" className="mb-1 text-ink-3 text-xs">
          {description}
        </p>
      )}
      {json === undefined && isTyped ? (
        <TypedField
          id={id}
          variable={variable}
          value={isGiven ? entry?.value : undefined}
          errorId={errorId}
          onChange={(value) => set({ isGiven: value !== undefined, value })}
        />
      ) : json === undefined ? (
        <ShapeField
          id={id}
          shape={shape}
          hint={hintOf(variable)}
          path={name}
          isMessages={isMessages}
          isGiven={isGiven}
          value={isGiven ? entry?.value : undefined}
          onChange={(value) => set({ isGiven: true, value })}
        />
      ) : (
        <JsonField id={id} variable={variable} json={isGiven ? json : ''} isUnfit={isUnfit} onChange={set} />
      )}
      <ErrorText id={`${id}-problem`}>{problem}</ErrorText>
    </fieldset>
  );
});

/** Returns the shape in which a value is entered. The templates determine the shape, unless the declared type is a single value. */
function shapeOf({ type, kind, fields, items }: Variable): Shape {
  const isSingle = type !== undefined && type !== 'list' && type !== 'object';
  return isSingle ? { kind: 'text' } : { ...(kind && { kind }), ...(fields && { fields }), ...(items && { items }) };
}

/** Returns whether a value can only be entered as JSON, because the templates do not say what is in the declared list or object. */
function isJsonOnly({ type, kind }: Variable): boolean {
  return (type === 'list' || type === 'object') && kind !== type;
}

/** Returns the value of a variable that was just switched on. */
function startValue(variable: Variable): unknown {
  const { type, default: used, values = [] } = variable;
  if (used !== undefined) return used;
  if (type === 'boolean') return false;
  if (type === 'number') return 0;
  if (type === 'enum') return values[0];
  return emptyValue(isJsonOnly(variable) && (type === 'list' || type === 'object') ? { kind: type } : shapeOf(variable));
}

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
    parsed &&
    (!parsed.ok ? 'Fix the JSON first' : fitsForm(shapeOf(variable), parsed.value) ? undefined : 'The form cannot show this value');
  return (
    <button
      type="button"
      aria-label={`Edit ${variable.name} as JSON`}
      aria-pressed={isOpen}
      title={obstacle ?? (isOpen ? 'Edit in the form' : 'Edit as JSON')}
      disabled={isUnfit || obstacle !== undefined}
      onClick={() => onChange({ json: isOpen ? undefined : isGiven ? formatJson(entry?.value) : '' })}
      className={cx(
        'h-5 shrink-0 rounded-sm px-1.5 font-medium text-2xs transition-colors duration-100 disabled:opacity-55',
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
        placeholder={`Not set. Example: ${JSON.stringify(exampleOf(variable))}`}
        className={cx(inputClass, areaClass, 'font-mono text-xs')}
        value={json}
        onChange={(event) => change(event.target.value)}
      />
      <ErrorText id={`${id}-error`}>{error}</ErrorText>
      {isUnfit && (
        <p className="mt-1 text-ink-3 text-xs">This value does not match how the template uses it. Clear the value to use the form.</p>
      )}
    </>
  );
}
