import { useId } from 'react';
import type { PromptType } from '../lib/types.ts';
import { Badge } from '../ui/Badge.tsx';
import { Card } from '../ui/Card.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { inputClass } from '../ui/Field.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import type { PreviewState } from './use-preview.ts';

export function PreviewPanel({ type, preview }: { type: PromptType; preview: PreviewState }) {
  const { variables, values, setValue } = preview;
  return (
    <div className="space-y-4">
      <Card>
        <PanelTitle title="Variables" />
        <div className="space-y-3 px-4 pb-4">
          {variables.length === 0 && (
            <p className="text-ink-3">
              None yet. Write <code className="font-mono text-ink-2 text-xs">{'{{ name }}'}</code> in the text to add one.
            </p>
          )}
          {variables.map(({ name, required }) => (
            <VariableField
              key={name}
              name={name}
              required={required}
              value={values[name] ?? ''}
              onChange={(value) => setValue(name, value)}
            />
          ))}
          {variables.length > 0 && <p className="text-ink-3 text-xs">Only used for this preview. Enter lists and objects as JSON.</p>}
        </div>
      </Card>
      <Card>
        <PanelTitle
          title="Preview"
          action={preview.rendered?.text !== undefined && <CopyButton iconOnly label="Copy preview" text={preview.rendered.text} />}
        />
        <PreviewBody type={type} preview={preview} />
      </Card>
    </div>
  );
}

function PanelTitle({ title, action }: { title: string; action?: React.ReactNode }) {
  return (
    <div className="flex h-10 items-center justify-between pr-2 pl-4">
      <h2 className="font-semibold text-sm">{title}</h2>
      {action}
    </div>
  );
}

interface VariableFieldProps {
  name: string;
  required: boolean;
  value: string;
  onChange: (value: string) => void;
}

function VariableField({ name, required, value, onChange }: VariableFieldProps) {
  const id = useId();
  const rows = Math.min(6, value.split('\n').length);
  return (
    <div>
      <label htmlFor={id} className="mb-1 flex items-center justify-between gap-2">
        <code className="truncate font-mono text-xs">{name}</code>
        {!required && <span className="text-2xs text-ink-3">optional</span>}
      </label>
      <textarea
        id={id}
        rows={rows}
        spellCheck={false}
        className={`${inputClass} block h-auto min-h-8 resize-y py-1.5`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

function PreviewBody({ type, preview: { rendered, syntaxErrors, renderError } }: { type: PromptType; preview: PreviewState }) {
  const [syntaxError] = syntaxErrors;
  if (syntaxError) {
    return (
      <p role="status" className="mx-4 mb-4 rounded-md bg-danger-soft px-3 py-2 text-danger text-xs">
        {syntaxError.line !== undefined && `Line ${syntaxError.line}, column ${syntaxError.column}: `}
        {syntaxError.message}
      </p>
    );
  }
  if (renderError !== undefined) {
    return (
      <p role="status" className="mx-4 mb-4 rounded-md bg-warn-soft px-3 py-2 text-warn text-xs">
        {renderError}
      </p>
    );
  }
  if (!rendered) return <Skeleton className="mx-4 mb-4 h-20" />;
  if (type === 'text') return <Output label="Preview" text={rendered.text ?? ''} />;
  return (
    <ol className="divide-y divide-line border-line border-t">
      {rendered.messages?.map(({ role, content }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rendered messages have no ids.
        <li key={index} className="pt-3">
          <div className="px-4 pb-1">
            <Badge>{role}</Badge>
          </div>
          <Output label={`Preview of message ${index + 1}`} text={content} />
        </li>
      ))}
    </ol>
  );
}

function Output({ label, text }: { label: string; text: string }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
      tabIndex={0}
      data-testid="preview"
      dir="auto"
      className="max-h-96 overflow-y-auto whitespace-pre-wrap break-words px-4 pb-4 font-mono text-xs leading-5 -outline-offset-2"
    >
      {text === '' ? <span className="text-ink-3">(empty)</span> : text}
    </section>
  );
}
