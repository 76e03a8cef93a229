import { Trash2 } from 'lucide-react';
import { useId } from 'react';
import { checkKinds, checkValueTypes } from '../../../src/contract/check-kinds.ts';
import { maxCheckTextLength, maxPatternLength } from '../../../src/contract/limits.ts';
import { cx } from '../lib/cx.ts';
import { IconButton } from '../ui/Button.tsx';
import { ErrorText, inputClass } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import type { CheckDraft } from './check-draft.ts';
import { kindTexts } from './check-words.ts';
import { JudgeFields } from './JudgeFields.tsx';

interface CheckFieldProps {
  /** The position of the check, which screen readers announce. */
  number: number;
  check: CheckDraft;
  error: string | undefined;
  onChange: (change: Partial<CheckDraft>) => void;
  onRemove: () => void;
}

/** Edits one check. Together, the fields read as a sentence, such as: the output contains “order”. */
export function CheckField({ number, check, error, onChange, onRemove }: CheckFieldProps) {
  const id = useId();
  const { kind, on } = check;
  return (
    <fieldset aria-label={`Check ${number}`} className="min-w-0 rounded-md border border-line bg-sunken p-2">
      <div className="flex flex-wrap items-start gap-2">
        <Select
          aria-label="Checked text"
          disabled={kind === 'maxLatencyMs'}
          value={kind === 'maxLatencyMs' ? 'output' : on}
          onChange={(event) => onChange({ on: event.target.value === 'prompt' ? 'prompt' : 'output' })}
        >
          <option value="output">Output</option>
          <option value="prompt">Rendered prompt</option>
        </Select>
        <Select
          aria-label="Requirement"
          value={kind}
          onChange={(event) => onChange({ kind: checkKinds.find((each) => each === event.target.value) ?? kind })}
        >
          {checkKinds.map((each) => (
            <option key={each} value={each}>
              {kindTexts[each]}
            </option>
          ))}
        </Select>
        <IconButton label={`Remove check ${number}`} className="ml-auto" onClick={onRemove}>
          <Trash2 aria-hidden className="size-4" />
        </IconButton>
      </div>
      {kind === 'judge' ? (
        <JudgeFields check={check} errorId={error === undefined ? undefined : `${id}-error`} onChange={onChange} />
      ) : (
        <ValueField id={id} check={check} error={error} onChange={onChange} />
      )}
      <ErrorText id={`${id}-error`}>{error}</ErrorText>
    </fieldset>
  );
}

interface ValueFieldProps {
  id: string;
  check: CheckDraft;
  error: string | undefined;
  onChange: (change: Partial<CheckDraft>) => void;
}

function ValueField({ id, check: { kind, text }, error, onChange }: ValueFieldProps) {
  const type = checkValueTypes[kind];
  if (type === 'none' || type === 'prompt') return null;
  const common = {
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? `${id}-error` : undefined,
    value: text,
    onChange: (event: { target: { value: string } }) => onChange({ text: event.target.value }),
  };
  if (type === 'number') {
    return <input aria-label="Limit" inputMode="numeric" placeholder="500" className={cx(inputClass, 'mt-2 sm:w-40')} {...common} />;
  }
  if (type === 'pattern') {
    return (
      <input
        aria-label="Regular expression"
        placeholder="order \d+"
        title="RE2 syntax, without lookarounds or backreferences"
        maxLength={maxPatternLength}
        spellCheck={false}
        className={cx(inputClass, 'mt-2 font-mono text-xs')}
        {...common}
      />
    );
  }
  const isSchema = type === 'schema';
  return (
    <textarea
      aria-label={isSchema ? 'JSON Schema' : 'Text'}
      dir="auto"
      rows={isSchema ? Math.min(12, Math.max(4, text.split('\n').length)) : Math.min(6, text.split('\n').length)}
      maxLength={isSchema ? undefined : maxCheckTextLength}
      spellCheck={false}
      placeholder={isSchema ? '{"type": "object", "required": ["topic"]}' : undefined}
      className={cx(inputClass, 'mt-2 block h-auto min-h-8 resize-y py-1.5', isSchema && 'font-mono text-xs')}
      {...common}
    />
  );
}
