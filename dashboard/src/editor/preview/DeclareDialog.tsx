import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import type { DeclaredVariable, Variable } from '../../lib/types.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorText, Field, inputClass } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { type DeclarationForm, type FormProblems, formOf, parseForm, typeHints, typeNames } from './declaration-form.ts';
import { areaClass } from './ShapeField.tsx';

export interface DeclareDialogProps {
  variable: Variable;
  /** The declaration in the draft itself, if it has one. */
  declared: DeclaredVariable | undefined;
  /** Called with undefined to remove the declaration. */
  onChange: (declared: DeclaredVariable | undefined) => void;
  onClose: () => void;
}

const maxDescription = 500;

/** Describes a variable: its type, its purpose, its default and an example. */
export function DeclareDialog({ variable, declared, onChange, onClose }: DeclareDialogProps) {
  const formId = useId();
  const before = declared ?? variable;
  const [form, setForm] = useState<DeclarationForm>(() => formOf(before));
  const [problems, setProblems] = useState<FormProblems>({});
  const change = (part: Partial<DeclarationForm>) => setForm({ ...form, ...part });
  const finish = (event: FormEvent) => {
    event.preventDefault();
    // The dialog is inside the form of a test case or a page, which must not be submitted too.
    event.stopPropagation();
    const parsed = parseForm(form, before);
    setProblems(parsed.problems);
    if (Object.keys(parsed.problems).length > 0) return;
    onChange(Object.keys(parsed.declared).length === 1 ? undefined : parsed.declared);
    onClose();
  };
  const remove = () => {
    onChange(undefined);
    onClose();
  };

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Variable ${variable.name}`}
      description={
        variable.inherited && !declared
          ? 'An included prompt declares this variable. What you enter here replaces that declaration in this prompt.'
          : 'The declaration is saved with the next version. From then on, the service rejects values that do not match it.'
      }
      footer={
        <>
          {declared && (
            <Button kind="danger-quiet" className="mr-auto" onClick={remove}>
              Remove
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} kind="primary">
            Done
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={finish} className="space-y-4" noValidate>
        <Labeled label="Type" hint={typeHints[form.type]}>
          {(props) => (
            <Select
              className="w-full"
              value={form.type}
              onChange={(event) => change({ type: event.target.value as DeclarationForm['type'] })}
              {...props}
            >
              {Object.entries(typeNames).map(([type, name]) => (
                <option key={type} value={type}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Labeled>
        {form.type === 'enum' && (
          <Labeled label="Values" hint="One per line." error={problems.values}>
            {(props) => (
              <textarea
                rows={4}
                spellCheck={false}
                className={cx(inputClass, areaClass)}
                value={form.values}
                onChange={(event) => change({ values: event.target.value })}
                {...props}
              />
            )}
          </Labeled>
        )}
        <Field
          label="Description"
          maxLength={maxDescription}
          placeholder="What the variable is for"
          value={form.description}
          onChange={(event) => change({ description: event.target.value })}
        />
        <Labeled label="Default" hint="Used if the caller sends no value. The variable is then optional." error={problems.default}>
          {(props) => <ValueField form={form} value={form.default} onChange={(value) => change({ default: value })} {...props} />}
        </Labeled>
        <Labeled label="Example" hint="Shown in the empty field and in code snippets. It is never sent." error={problems.example}>
          {(props) => <ValueField form={form} value={form.example} onChange={(value) => change({ example: value })} {...props} />}
        </Labeled>
      </form>
    </Dialog>
  );
}

interface FieldAttributes {
  id: string;
  'aria-describedby': string;
  'aria-invalid': true | undefined;
}

interface LabeledProps {
  label: string;
  hint: string;
  error?: string | undefined;
  children: (props: FieldAttributes) => ReactNode;
}

function Labeled({ label, hint, error, children }: LabeledProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-medium text-ink text-sm">
        {label}
      </label>
      {children({ id, 'aria-describedby': `${id}-error ${id}-hint`, 'aria-invalid': error === undefined ? undefined : true })}
      <ErrorText id={`${id}-error`}>{error}</ErrorText>
      <p id={`${id}-hint`} className="mt-1.5 text-ink-3 text-xs">
        {hint}
      </p>
    </div>
  );
}

interface ValueFieldProps extends FieldAttributes {
  form: DeclarationForm;
  value: string;
  onChange: (value: string) => void;
}

/** Edits a default or an example in a field for the declared type. */
function ValueField({ form: { type, values }, value, onChange, ...props }: ValueFieldProps) {
  const change = (event: { target: { value: string } }) => onChange(event.target.value);
  if (type === 'boolean' || type === 'enum') {
    const options = type === 'boolean' ? ['true', 'false'] : values.split('\n').map((line) => line.trim());
    return (
      <Select className="w-full" value={value} onChange={change} {...props}>
        <option value="">None</option>
        {[...new Set([...options, value])]
          .filter((option) => option !== '')
          .map((option) => (
            <option key={option}>{option}</option>
          ))}
      </Select>
    );
  }
  if (type === 'number' || type === 'image') {
    return (
      <input
        inputMode={type === 'number' ? 'decimal' : 'url'}
        placeholder={type === 'image' ? 'https://…' : undefined}
        className={inputClass}
        value={value}
        onChange={change}
        {...props}
      />
    );
  }
  const isJson = type === 'list' || type === 'object';
  return (
    <textarea
      dir="auto"
      rows={Math.min(6, value.split('\n').length + (isJson ? 1 : 0))}
      spellCheck={false}
      placeholder={type === 'list' ? '["one", "two"]' : type === 'object' ? '{ "name": "Ada" }' : undefined}
      className={cx(inputClass, areaClass, isJson && 'font-mono text-xs')}
      value={value}
      onChange={change}
      {...props}
    />
  );
}
