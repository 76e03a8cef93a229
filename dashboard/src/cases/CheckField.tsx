import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useId } from 'react';
import { checkKinds, checkValueTypes } from '../../../src/contract/check-kinds.ts';
import { productionLabel } from '../../../src/contract/label-names.ts';
import { maxCheckTextLength, maxModelNameLength, maxPatternLength, maxPromptNameLength } from '../../../src/contract/limits.ts';
import { cx } from '../lib/cx.ts';
import { useDebounced } from '../lib/use-debounced.ts';
import { connectionsQuery } from '../models/queries.ts';
import { searchQuery } from '../prompts/queries.ts';
import { IconButton } from '../ui/Button.tsx';
import { ErrorText, inputClass } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import type { CheckDraft } from './check-draft.ts';
import { kindTexts } from './check-words.ts';

interface CheckFieldProps {
  /** The position, for screen readers. */
  number: number;
  check: CheckDraft;
  error: string | undefined;
  onChange: (change: Partial<CheckDraft>) => void;
  onRemove: () => void;
}

/** One check, to be read as a sentence: the output contains “order”. */
export function CheckField({ number, check, error, onChange, onRemove }: CheckFieldProps) {
  const id = useId();
  const { kind, on } = check;
  return (
    <fieldset aria-label={`Check ${number}`} className="min-w-0 rounded-md border border-line bg-sunken p-2">
      <div className="flex flex-wrap items-start gap-2">
        <Select
          aria-label="Looks at"
          disabled={kind === 'maxLatencyMs'}
          value={kind === 'maxLatencyMs' ? 'output' : on}
          onChange={(event) => onChange({ on: event.target.value === 'prompt' ? 'prompt' : 'output' })}
        >
          <option value="output">Output</option>
          <option value="prompt">Rendered prompt</option>
        </Select>
        <Select
          aria-label="Must"
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
      <ValueField id={id} check={check} error={error} onChange={onChange} />
      {kind === 'judge' && <JudgeFields check={check} onChange={onChange} />}
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
  if (type === 'none') return null;
  const common = {
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? `${id}-error` : undefined,
    value: text,
    onChange: (event: { target: { value: string } }) => onChange({ text: event.target.value }),
  };
  if (type === 'prompt') return <PromptNameField {...common} />;
  if (type === 'number') {
    return <input aria-label="Limit" inputMode="numeric" placeholder="500" className={cx(inputClass, 'mt-2 sm:w-40')} {...common} />;
  }
  if (type === 'pattern') {
    return (
      <input
        aria-label="Regular expression"
        placeholder="order \d+"
        title="In the syntax of RE2, without lookaround and back-references"
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
      aria-label={isSchema ? 'JSON schema' : 'Text'}
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

interface PromptNameFieldProps {
  'aria-invalid': boolean | undefined;
  'aria-describedby': string | undefined;
  value: string;
  onChange: (event: { target: { value: string } }) => void;
}

const settleMs = 200;

/** Suggests the names of prompts while one types. */
function PromptNameField(props: PromptNameFieldProps) {
  const listId = useId();
  const prompts = useQuery(searchQuery(useDebounced(props.value.trim(), settleMs)));
  return (
    <>
      <input
        aria-label="Prompt that judges"
        placeholder="support/judge"
        list={listId}
        maxLength={maxPromptNameLength}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        className={cx(inputClass, 'mt-2')}
        {...props}
      />
      <datalist id={listId}>
        {prompts.data?.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

function JudgeFields({ check, onChange }: { check: CheckDraft; onChange: (change: Partial<CheckDraft>) => void }) {
  const connections = useQuery(connectionsQuery);
  const isUnknown =
    check.connection !== '' && !connections.data?.some(({ id, name }) => id === check.connection || name === check.connection);
  return (
    <div className="mt-2">
      <div className="grid gap-2 sm:grid-cols-3">
        <input
          aria-label="Label of the judge"
          placeholder={`Label: ${productionLabel}`}
          spellCheck={false}
          autoCapitalize="none"
          className={inputClass}
          value={check.label}
          onChange={(event) => onChange({ label: event.target.value.trim() })}
        />
        <Select
          aria-label="Connection of the judge"
          value={check.connection}
          onChange={(event) => onChange({ connection: event.target.value, ...(event.target.value === '' && { model: '' }) })}
        >
          <option value="">Connection of the run</option>
          {isUnknown && <option>{check.connection}</option>}
          {connections.data?.map(({ id, name }) => (
            <option key={id} value={id === check.connection ? id : name}>
              {name}
            </option>
          ))}
        </Select>
        <input
          aria-label="Model of the judge"
          placeholder="Model: its default"
          maxLength={maxModelNameLength}
          spellCheck={false}
          autoCapitalize="none"
          className={inputClass}
          value={check.model}
          onChange={(event) => onChange({ model: event.target.value.trim() })}
        />
      </div>
      <p className="mt-1.5 text-ink-3 text-xs">
        The judge gets the variables <code className="font-mono">output</code>, <code className="font-mono">prompt</code> and{' '}
        <code className="font-mono">variables</code>. It passes with <code className="font-mono">{'{"pass": true}'}</code>, or with a first
        word such as “pass” or “yes”.
      </p>
    </div>
  );
}
