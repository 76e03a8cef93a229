import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { productionLabel } from '../../../src/contract/label-names.ts';
import { maxCheckTextLength, maxModelNameLength, maxPromptNameLength } from '../../../src/contract/limits.ts';
import { cx } from '../lib/cx.ts';
import { useDebounced } from '../lib/use-debounced.ts';
import { connectionsQuery } from '../models/queries.ts';
import { searchQuery } from '../prompts/queries.ts';
import { inputClass } from '../ui/Field.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { Select } from '../ui/Select.tsx';
import type { CheckDraft } from './check-draft.ts';

interface JudgeFieldsProps {
  check: CheckDraft;
  /** The id of the error text. Undefined if there is no error. */
  errorId: string | undefined;
  onChange: (change: Partial<CheckDraft>) => void;
}

const ways = [
  { value: 'rubric', label: 'By rubric' },
  { value: 'prompt', label: 'By prompt' },
] as const;

/** Edits the way in which a judge decides, and the model that it uses. */
export function JudgeFields({ check, errorId, onChange }: JudgeFieldsProps) {
  const hasRubric = check.judgesBy === 'rubric';
  const invalid = { 'aria-invalid': errorId === undefined ? undefined : true, 'aria-describedby': errorId };
  return (
    <div className="mt-2 space-y-2">
      <Segmented label="How to judge" value={check.judgesBy} options={ways} onChange={(judgesBy) => onChange({ judgesBy })} />
      {hasRubric ? (
        <textarea
          {...invalid}
          aria-label="Rubric"
          dir="auto"
          rows={Math.min(6, check.rubric.split('\n').length + 1)}
          maxLength={maxCheckTextLength}
          placeholder="Is polite and answers the question"
          className={cx(inputClass, 'block h-auto resize-y py-1.5')}
          value={check.rubric}
          onChange={(event) => onChange({ rubric: event.target.value })}
        />
      ) : (
        <PromptNameField {...invalid} value={check.text} onChange={(text) => onChange({ text })} />
      )}
      <div className={cx('grid gap-2', hasRubric ? 'sm:grid-cols-2' : 'sm:grid-cols-3')}>
        {!hasRubric && (
          <input
            aria-label="Judge label"
            placeholder={`Label: ${productionLabel}`}
            spellCheck={false}
            autoCapitalize="none"
            className={inputClass}
            value={check.label}
            onChange={(event) => onChange({ label: event.target.value.trim() })}
          />
        )}
        <JudgeModelFields check={check} onChange={onChange} />
      </div>
      <p className="text-ink-3 text-xs">
        {hasRubric ? (
          'A model reads the rubric, the rendered prompt and the output, and decides whether the output meets the rubric.'
        ) : (
          <>
            The judge’s prompt can use the variables <code className="font-mono">output</code>, <code className="font-mono">prompt</code>{' '}
            and <code className="font-mono">variables</code>. The check passes if the judge responds with{' '}
            <code className="font-mono">{'{"pass": true}'}</code> or starts with a word such as “pass” or “yes”.
          </>
        )}
      </p>
    </div>
  );
}

function JudgeModelFields({ check, onChange }: Pick<JudgeFieldsProps, 'check' | 'onChange'>) {
  const listId = useId();
  const connections = useQuery(connectionsQuery);
  const chosen = connections.data?.find(({ id, name }) => id === check.connection || name === check.connection);
  return (
    <>
      <Select
        aria-label="Judge connection"
        value={check.connection}
        onChange={(event) => onChange({ connection: event.target.value, model: '' })}
      >
        <option value="">Connection used by the run</option>
        {check.connection !== '' && !chosen && <option>{check.connection}</option>}
        {connections.data?.map(({ id, name }) => (
          <option key={id} value={id === check.connection ? id : name}>
            {name}
          </option>
        ))}
      </Select>
      <input
        aria-label="Judge model"
        // A connection without a list of models has no default model.
        placeholder={chosen?.models.length === 0 ? 'Model name' : 'Default model'}
        list={listId}
        maxLength={maxModelNameLength}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        className={inputClass}
        value={check.model}
        onChange={(event) => onChange({ model: event.target.value.trim() })}
      />
      <datalist id={listId}>
        {chosen?.models.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

interface PromptNameFieldProps {
  'aria-invalid': boolean | undefined;
  'aria-describedby': string | undefined;
  value: string;
  onChange: (name: string) => void;
}

const settleMs = 200;

/** Suggests prompt names while the user types. */
function PromptNameField({ value, onChange, ...rest }: PromptNameFieldProps) {
  const listId = useId();
  const prompts = useQuery(searchQuery(useDebounced(value.trim(), settleMs)));
  return (
    <>
      <input
        {...rest}
        aria-label="Judge prompt"
        placeholder="support/judge"
        list={listId}
        maxLength={maxPromptNameLength}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        className={inputClass}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={listId}>
        {prompts.data?.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
