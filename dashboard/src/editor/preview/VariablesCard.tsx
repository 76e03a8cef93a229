import { ChevronDown, RotateCcw } from 'lucide-react';
import { useId, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import type { DeclaredVariable, Variable } from '../../lib/types.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { inputClass } from '../../ui/Field.tsx';
import { toast } from '../../ui/toasts.ts';
import { DeclareDialog } from './lazy.tsx';
import { countMissing, findEntry } from './preview-values.ts';
import type { PreviewState } from './use-preview.ts';
import { VariableField } from './VariableField.tsx';

/** The maximum number of variables in a list that starts open. A longer list starts closed and has a search field. */
const manyVariables = 12;

interface VariablesCardProps {
  preview: PreviewState;
  /** Whether the list is temporarily closed to free space for the output. */
  isFolded?: boolean;
  onUnfold?: () => void;
  /** Saves the values as a test case. Undefined if the user may not change the prompt, or if the prompt does not exist yet. */
  onSaveCase?: (() => void) | undefined;
  /** The declarations of the draft. Undefined where the user enters only values. */
  declarations?: Declarations | undefined;
}

export interface Declarations {
  variables: DeclaredVariable[];
  onChange: (change: (before: DeclaredVariable[]) => DeclaredVariable[]) => void;
}

/** The values that the preview is rendered with. */
export function VariablesCard({ preview, isFolded = false, onUnfold, onSaveCase, declarations }: VariablesCardProps) {
  const { variables, placeholders, entries, setEntry, setEntries } = preview;
  const id = useId();
  const [isWanted, setWanted] = useState(variables.length <= manyVariables);
  const isOpen = isWanted && !isFolded;
  const toggle = () => {
    setWanted(!isOpen);
    onUnfold?.();
  };
  const [search, setSearch] = useState('');
  const isMany = variables.length > manyVariables;
  const wanted = search.trim().toLowerCase();
  const shown = isMany && wanted !== '' ? variables.filter(({ name }) => name.toLowerCase().includes(wanted)) : variables;
  const missing = countMissing(variables, entries);
  const [described, setDescribed] = useState<Variable>();

  const reset = () => {
    setEntries({});
    toast('Values reset.', { undo: () => setEntries(entries) });
  };

  return (
    <Card>
      <div className="flex h-10 items-center justify-between gap-2 pr-2 pl-4">
        <h2 className="min-w-0 font-semibold text-sm">
          <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={toggle} className="flex items-center gap-1.5 rounded-sm">
            Variables
            {variables.length > 0 && <span className="font-normal text-ink-3 text-xs tabular">{variables.length}</span>}
            <ChevronDown aria-hidden className={cx('size-4 text-ink-3 transition-transform', !isOpen && '-rotate-90')} />
          </button>
        </h2>
        <span className="ml-auto truncate text-warn text-xs">{missing > 0 && `${missing} missing`}</span>
        {onSaveCase && (
          <Button kind="ghost" size="sm" title="Save these values as a test case of this prompt" onClick={onSaveCase}>
            Save as test case
          </Button>
        )}
        {Object.keys(entries).length > 0 && (
          <IconButton label="Reset values" onClick={reset}>
            <RotateCcw aria-hidden className="size-4" />
          </IconButton>
        )}
      </div>
      <div id={id} hidden={!isOpen}>
        {isMany && (
          <div className="px-4 pb-3">
            <input
              type="search"
              aria-label="Find a variable"
              placeholder="Find a variable"
              className={inputClass}
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
          </div>
        )}
        <div className={cx('relative space-y-3 overflow-y-auto px-4 pt-1 pb-4', isMany ? 'max-h-[30vh]' : 'max-h-[40vh]')}>
          {variables.length === 0 && (
            <p className="text-ink-3">
              {preview.renderError === undefined ? 'None yet.' : 'None in this text. Included prompts may add some.'} Write{' '}
              <code className="font-mono text-ink-2 text-xs">{'{{ name }}'}</code> in the text to add one.
            </p>
          )}
          {shown.length === 0 && variables.length > 0 && <p className="text-ink-3">No variable matches.</p>}
          {isOpen &&
            shown.map((variable) => (
              <VariableField
                key={variable.name}
                variable={variable}
                isMessages={placeholders.includes(variable.name)}
                entry={findEntry(entries, variable.name)}
                onChange={setEntry}
                onDeclare={declarations && setDescribed}
              />
            ))}
        </div>
      </div>
      {described && declarations && (
        <DeclareDialog
          variable={described}
          declared={declarations.variables.find(({ name }) => name === described.name)}
          onChange={(declared) => declarations.onChange((before) => replaceDeclared(before, described.name, declared))}
          onClose={() => setDescribed(undefined)}
        />
      )}
    </Card>
  );
}

function replaceDeclared(before: DeclaredVariable[], name: string, declared: DeclaredVariable | undefined): DeclaredVariable[] {
  const others = before.filter((variable) => variable.name !== name);
  return declared ? [...others, declared] : others;
}
