import { Plus, Trash2 } from 'lucide-react';
import { maxReleaseRules } from '../../../src/contract/limits.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { ErrorText, inputClass } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import type { RuleForm } from './release-form.ts';

interface RuleFieldsProps {
  rules: RuleForm[];
  version: number;
  control: number;
  problem: string | undefined;
  onChange: (rules: RuleForm[]) => void;
}

/** Edits the rules that choose the version for some callers, whatever the share is. */
export function RuleFields({ rules, version, control, problem, onChange }: RuleFieldsProps) {
  const set = (id: number, change: Partial<RuleForm>) => onChange(rules.map((rule) => (rule.id === id ? { ...rule, ...change } : rule)));
  const add = () => onChange([...rules, { id: Math.max(0, ...rules.map(({ id }) => id)) + 1, attribute: '', values: '', to: 'arm' }]);
  return (
    <fieldset>
      <legend className="mb-1 font-medium">Rules</legend>
      <p className="mb-2 text-ink-3 text-xs">
        Callers that send one of the values for the attribute get the version, with or without a key. The first rule that matches decides.
      </p>
      <ul className="space-y-2">
        {rules.map(({ id, attribute, values, to }, index) => (
          <li key={id} className="flex flex-wrap items-center gap-2">
            <input
              aria-label={`Attribute of rule ${index + 1}`}
              placeholder="plan"
              spellCheck={false}
              autoCapitalize="none"
              maxLength={100}
              className={`${inputClass} max-w-32`}
              value={attribute}
              onChange={(event) => set(id, { attribute: event.target.value })}
            />
            <span aria-hidden className="text-ink-2">
              is one of
            </span>
            <input
              aria-label={`Values of rule ${index + 1}, separated by commas`}
              placeholder="internal, beta"
              spellCheck={false}
              autoCapitalize="none"
              className={`${inputClass} min-w-36 max-w-64 flex-1`}
              value={values}
              onChange={(event) => set(id, { values: event.target.value })}
            />
            <span aria-hidden className="text-ink-2">
              gets
            </span>
            <Select
              aria-label={`Version of rule ${index + 1}`}
              value={to}
              onChange={(event) => set(id, { to: event.target.value === 'control' ? 'control' : 'arm' })}
            >
              <option value="arm">{`v${version}`}</option>
              <option value="control">{`v${control}`}</option>
            </Select>
            <IconButton label={`Remove rule ${index + 1}`} onClick={() => onChange(rules.filter((rule) => rule.id !== id))}>
              <Trash2 aria-hidden className="size-4" />
            </IconButton>
          </li>
        ))}
      </ul>
      <ErrorText id="release-rules-error">{problem}</ErrorText>
      {rules.length < maxReleaseRules && (
        <Button size="sm" className={rules.length > 0 ? 'mt-2' : ''} onClick={add}>
          <Plus aria-hidden className="size-3.5" />
          Add rule
        </Button>
      )}
    </fieldset>
  );
}
