import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { findNameProblem, normalizeName } from '../../../src/contract/prompt-names.ts';
import { call } from '../lib/api.ts';
import { formatNumber, plural } from '../lib/format.ts';
import type { Prompt } from '../lib/types.ts';
import { useDebounced } from '../lib/use-debounced.ts';
import { Field, FormError } from '../ui/Field.tsx';
import { toast } from '../ui/toasts.ts';
import { AffectedByMany } from './AffectedByMany.tsx';
import { type BulkProgress, runForEach } from './actions.ts';
import { BulkDialog, type BulkDialogOptions } from './BulkDialog.tsx';
import { findCommonFolder, folderOf, toMovedName } from './moved-names.ts';
import { refreshPrompts } from './queries.ts';
import { fetchByName } from './usage.ts';

interface MoveDialogProps extends BulkDialogOptions<Pick<Prompt, 'name'>> {
  /** The folder to move with everything in it. If absent, the prompts are moved out of their common folder. */
  folder?: string;
}

/** Renames prompts to move them to another folder. Shows the new names first. */
export function MoveDialog({ prompts, folder: moved, onClose, onDone }: MoveDialogProps) {
  const [text, setText] = useState('');
  const names = useMemo(() => prompts.map(({ name }) => name), [prompts]);
  const base = useMemo(() => (moved === undefined ? findCommonFolder(names) : folderOf(moved)), [moved, names]);
  const target = normalizeName(text.trim()).replace(/\/+$/, '');
  const newNames = useMemo(
    () => new Map(names.map((name) => [name, toMovedName(name, { base, target })] as const).filter(([from, to]) => from !== to)),
    [names, base, target],
  );
  const problem = target === '' ? undefined : findNameProblem(target);
  const invalid = problem === undefined ? [...newNames.values()].find((name) => findNameProblem(name) !== undefined) : undefined;
  const taken = useTaken(newNames, { base, target, isEnabled: problem === undefined && invalid === undefined });

  const rename = (changes: ReadonlyMap<string, string>) => (name: string) =>
    call('changePrompt', { path: { name }, body: { name: changes.get(name) } });
  const apply = async (progress: BulkProgress) => {
    const result = await runForEach([...newNames.keys()], rename(newNames), progress);
    await refreshPrompts();
    const { done } = result;
    if (done.length > 0) {
      const back = new Map(done.map((name) => [newNames.get(name) ?? name, name]));
      const undo = async () => {
        await runForEach([...back.keys()], rename(back));
        await refreshPrompts();
      };
      toast(`${plural(done.length, 'prompt')} moved${target === '' ? '' : ` to ${target}`}.`, { undo: () => void undo() });
    }
    return result;
  };

  return (
    <BulkDialog
      title={moved === undefined ? `Move ${plural(prompts.length, 'prompt')}` : `Move the folder ${moved}`}
      confirm="Move"
      isPossible={problem === undefined && invalid === undefined && newNames.size > 0 && taken?.length === 0}
      onClose={onClose}
      onConfirm={apply}
      onDone={onDone}
    >
      <Field
        label="To folder"
        autoFocus
        spellCheck={false}
        autoCapitalize="none"
        placeholder="archive"
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={problem}
        hint={`Leave empty for no folder. ${describeKept({ moved, base })}`}
      />
      <NewNames names={newNames} />
      {invalid !== undefined && (
        <FormError>
          {invalid}: {findNameProblem(invalid)}
        </FormError>
      )}
      {taken !== undefined && taken.length > 0 && <Taken names={taken} />}
      <p className="text-ink-2">Moving changes the names, so applications that use the old names will no longer find the prompts.</p>
      <AffectedByMany names={names} />
    </BulkDialog>
  );
}

/** Returns the new names that other prompts already have, or undefined until the names are checked. */
function useTaken(
  newNames: ReadonlyMap<string, string>,
  { base, target, isEnabled }: { base: string; target: string; isEnabled: boolean },
): string[] | undefined {
  const settled = useDebounced(target, 300);
  const { data } = useQuery({
    // The key contains the target and the number of names instead of all names, because there may be thousands.
    queryKey: ['prompts', 'taken', base, settled, newNames.size, newNames.keys().next().value],
    queryFn: async () => (await fetchByName([...newNames.values()])).map(({ name }) => name),
    enabled: isEnabled && settled === target && newNames.size > 0,
    staleTime: 0,
    gcTime: 0,
  });
  return settled === target ? data : undefined;
}

function describeKept({ moved, base }: { moved: string | undefined; base: string }): string {
  if (moved !== undefined) return 'The folder keeps its name and its subfolders.';
  return base === '' ? 'The prompts keep their subfolders.' : `The prompts leave the folder ${base} and keep their subfolders.`;
}

const maxShown = 500;

function NewNames({ names }: { names: ReadonlyMap<string, string> }) {
  if (names.size === 0) return <p className="text-ink-3">The names stay as they are.</p>;
  return (
    <div>
      <p className="mb-1.5 font-medium">New names</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard. */}
      <ul aria-label="New names" tabIndex={0} className="max-h-44 space-y-1 overflow-y-auto rounded-md bg-sunken px-3 py-2 text-xs">
        {[...names].slice(0, maxShown).map(([from, to]) => (
          <li key={from} className="wrap-anywhere">
            <span dir="auto" className="text-ink-3">
              {from}
            </span>{' '}
            <span className="text-ink-3">→</span>{' '}
            <span dir="auto" className="font-medium">
              {to}
            </span>
          </li>
        ))}
        {names.size > maxShown && <li className="text-ink-3">and {formatNumber(names.size - maxShown)} more</li>}
      </ul>
    </div>
  );
}

const maxTaken = 5;

function Taken({ names }: { names: string[] }) {
  return (
    <FormError>
      {names.length === 1 ? 'This name is' : 'These names are'} already taken: {names.slice(0, maxTaken).join(', ')}
      {names.length > maxTaken && ` and ${formatNumber(names.length - maxTaken)} more`}. Choose another folder.
    </FormError>
  );
}
