import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { maxPromptNameLength, maxProposalChanges } from '../../../src/contract/limits.ts';
import { draftOf, includesIn } from '../editor/drafts/draft.ts';
import type { Candidate } from '../lib/types.ts';
import { useDebounced } from '../lib/use-debounced.ts';
import { dependentsQuery, directOnly } from '../prompts/dependents.ts';
import { searchQuery } from '../prompts/queries.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { inputClass } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import type { MoreChange, useMoreChanges } from './use-more-changes.ts';

interface MoreChangesProps {
  candidate: Candidate;
  label: string;
  more: ReturnType<typeof useMoreChanges>;
}

const settleMs = 200;
const maxSuggestions = 8;

/** Selects other prompts whose labels move in the same proposal, such as the prompts that include this one. */
export function MoreChanges({ candidate, label, more }: MoreChangesProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const found = useQuery(searchQuery(useDebounced(typed.trim(), settleMs)));
  const related = useRelated(candidate);
  const isAdded = (name: string) => name === candidate.name || more.items.some((item) => item.name === name);
  const suggested = related.filter((name) => !isAdded(name)).slice(0, maxSuggestions);
  const isFull = more.items.length >= maxProposalChanges - 1;
  const add = () => {
    const name = typed.trim();
    if (name !== '' && !isAdded(name)) more.add(name);
    setTyped('');
  };
  return (
    <fieldset className="mb-4">
      <legend className="mb-1.5 font-medium">Other prompts in this proposal</legend>
      <p className="mb-2 text-ink-3 text-xs">Optional. All prompts are reviewed together, and {label} moves in all of them or in none.</p>
      {more.items.length > 0 && (
        <ul className="mb-2 divide-y divide-line rounded-md border border-line px-3">
          {more.items.map((item) => (
            <Row key={item.name} item={item} label={label} more={more} />
          ))}
        </ul>
      )}
      {!isFull && suggested.length > 0 && (
        <div className="mb-2 flex flex-wrap items-center gap-2">
          <span className="text-ink-3 text-xs">Related by includes:</span>
          {suggested.map((name) => (
            <Button key={name} size="sm" className="max-w-full" onClick={() => more.add(name)}>
              <Plus aria-hidden className="size-3.5 shrink-0" />
              <span className="truncate">{name}</span>
            </Button>
          ))}
        </div>
      )}
      {!isFull && (
        <div className="flex max-w-sm gap-2">
          <input
            aria-label="Name of another prompt"
            placeholder="Name of another prompt"
            list={id}
            maxLength={maxPromptNameLength}
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="off"
            className={inputClass}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              add();
            }}
          />
          <datalist id={id}>
            {found.data
              ?.filter(({ name }) => !isAdded(name))
              .map(({ name }) => (
                <option key={name} value={name} />
              ))}
          </datalist>
          <Button disabled={typed.trim() === ''} onClick={add}>
            Add
          </Button>
        </div>
      )}
    </fieldset>
  );
}

function Row({ item, label, more }: { item: MoreChange; label: string; more: MoreChangesProps['more'] }) {
  const { name, targets, chosen, isPending, error } = item;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <span className="min-w-0 flex-1 basis-40 font-medium wrap-anywhere">{name}</span>
      {chosen && (
        <Select
          aria-label={`What ${label} of ${name} moves to`}
          className="max-w-64"
          value={chosen.candidate}
          onChange={(event) => more.choose(name, event.target.value)}
        >
          {targets.map(({ candidate, text }) => (
            <option key={candidate} value={candidate}>
              {text}
            </option>
          ))}
        </Select>
      )}
      {isPending && <span className="text-ink-3">Loading…</span>}
      {error !== undefined && <span className="text-danger">{error}</span>}
      {!isPending && error === undefined && !chosen && (
        <span className="text-ink-3">{`Nothing to propose: this prompt has no candidates, and ${label} is at the newest version.`}</span>
      )}
      <IconButton label={`Remove ${name}`} onClick={() => more.remove(name)}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </li>
  );
}

/** Lists the prompts that include the prompt of a candidate, and the prompts that the candidate includes. */
function useRelated(candidate: Candidate): string[] {
  const { data } = useQuery(dependentsQuery(candidate.name));
  const including = data ? directOnly(data).dependents.map(({ name }) => name) : [];
  const included = includesIn(candidate.type, draftOf(candidate)).map(({ name }) => name);
  return [...new Set([...including, ...included])];
}
