import { Plus } from 'lucide-react';
import { useId } from 'react';
import { maxCaseChecks } from '../../../src/contract/limits.ts';
import { Button } from '../ui/Button.tsx';
import { useItemFocus } from '../ui/use-item-focus.ts';
import { CheckField } from './CheckField.tsx';
import { type CheckDraft, newCheckDraft } from './check-draft.ts';

interface CheckFieldsProps {
  checks: CheckDraft[];
  /** The error messages, by the position of the check. */
  errors: ReadonlyMap<number, string>;
  onChange: (checks: CheckDraft[]) => void;
}

/** A form for the checks of a test case, with one row for each check. */
export function CheckFields({ checks, errors, onChange }: CheckFieldsProps) {
  const id = useId();
  const { list, focusItem, focusAfterRemoval } = useItemFocus<HTMLUListElement>();
  const add = () => {
    onChange([...checks, newCheckDraft()]);
    focusItem(checks.length);
  };
  const remove = (index: number) => {
    onChange(checks.toSpliced(index, 1));
    focusAfterRemoval(index, checks.length);
  };
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h3 id={id} className="font-medium">
        Checks
      </h3>
      <p className="mb-2 text-ink-3 text-xs">
        {checks.length === 0
          ? 'Without checks, the test case passes if the model responds.'
          : 'All checks must pass. Checks on the rendered prompt need no model.'}
      </p>
      <ul ref={list} className="space-y-3">
        {checks.map((check, index) => (
          <li key={check.key}>
            <CheckField
              number={index + 1}
              check={check}
              error={errors.get(index)}
              onChange={(change) => onChange(checks.with(index, { ...check, ...change }))}
              onRemove={() => remove(index)}
            />
          </li>
        ))}
      </ul>
      {checks.length < maxCaseChecks && (
        <Button size="sm" className="mt-3" onClick={add}>
          <Plus aria-hidden className="size-3.5" />
          Add check
        </Button>
      )}
    </section>
  );
}
