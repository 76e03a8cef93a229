import { useId } from 'react';
import { maxModelNameLength } from '../../../src/contract/limits.ts';
import type { ModelConnection } from '../lib/types.ts';
import { titleOfConnection } from '../models/kinds.ts';
import { inputClass } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import { defaultModel, type ModelChoice } from './run-input.ts';

interface ModelFieldsProps {
  connections: ModelConnection[];
  choice: ModelChoice;
  /** The model that the prompt's config names. */
  configured: string;
  /** The prefix of the field names, needed if there are several forms. */
  prefix?: string;
  onChange: (choice: ModelChoice) => void;
}

/** Selects a connection and one of its models. */
export function ModelFields({ connections, choice, configured, prefix = '', onChange }: ModelFieldsProps) {
  const connection = connections.find(({ id }) => id === choice.connection);
  const choose = (id: string) => {
    const next = connections.find((each) => each.id === id);
    if (next) onChange({ connection: id, model: defaultModel(next, configured) });
  };
  return (
    <div className="@container">
      <div className="grid gap-2 @sm:grid-cols-2">
        <Select aria-label={`${prefix}Connection`} value={choice.connection} onChange={(event) => choose(event.target.value)}>
          {!connection && <option value={choice.connection}>(deleted connection)</option>}
          {connections.map((each) => (
            <option key={each.id} value={each.id}>
              {titleOfConnection(each)}
            </option>
          ))}
        </Select>
        <ModelField
          label={`${prefix}Model`}
          models={connection?.models ?? []}
          model={choice.model}
          onChange={(model) => onChange({ ...choice, model })}
        />
      </div>
    </div>
  );
}

interface ModelFieldProps {
  label: string;
  /** The allowed models. Empty if all models are allowed. */
  models: string[];
  model: string;
  onChange: (model: string) => void;
}

function ModelField({ label, models, model, onChange }: ModelFieldProps) {
  const id = useId();
  if (models.length === 0) {
    return (
      <input
        id={id}
        aria-label={label}
        placeholder="Model name"
        spellCheck={false}
        autoComplete="off"
        maxLength={maxModelNameLength}
        className={inputClass}
        value={model}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  return (
    <Select id={id} aria-label={label} value={model} onChange={(event) => onChange(event.target.value)}>
      {!models.includes(model) && <option value={model}>{model === '' ? 'Choose a model' : `${model} (not offered)`}</option>}
      {models.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </Select>
  );
}
