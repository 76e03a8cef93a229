import { useState } from 'react';
import { findNameProblem, normalizeName } from '../../../src/contract/prompt-names.ts';
import { call } from '../lib/api.ts';
import { plural } from '../lib/format.ts';
import type { Prompt } from '../lib/types.ts';
import { Field } from '../ui/Field.tsx';
import { toast } from '../ui/toasts.ts';
import { AffectedByMany } from './AffectedByMany.tsx';
import { runForEach } from './actions.ts';
import { BulkDialog, type BulkDialogOptions } from './BulkDialog.tsx';
import { refreshPrompts } from './queries.ts';

/** Moves prompts to another folder, which renames them. */
export function MoveDialog({ prompts, onClose, onDone }: BulkDialogOptions<Prompt>) {
  const [text, setText] = useState('');
  const folder = normalizeName(text.trim()).replace(/\/+$/, '');
  const problem = folder === '' ? undefined : findNameProblem(folder);
  const moved = new Map(prompts.map(({ name }) => [name, moveTo(folder, name)]).filter(([from, to]) => from !== to) as [string, string][]);

  const apply = async () => {
    const { done } = await runForEach([...moved.keys()], (name) =>
      call('changePrompt', { path: { name }, body: { name: moved.get(name) } }),
    );
    await refreshPrompts();
    if (done.length > 0) {
      const back = new Map(done.map((name) => [moved.get(name) ?? name, name]));
      const undo = async () => {
        await runForEach([...back.keys()], (name) => call('changePrompt', { path: { name }, body: { name: back.get(name) } }));
        await refreshPrompts();
      };
      toast(`${plural(done.length, 'prompt')} moved${folder === '' ? '' : ` to ${folder}`}.`, { undo: () => void undo() });
    }
    onDone();
  };

  return (
    <BulkDialog
      title={`Move ${plural(prompts.length, 'prompt')}`}
      confirm="Move"
      isPossible={problem === undefined && moved.size > 0}
      onClose={onClose}
      onConfirm={apply}
    >
      <Field
        label="Folder"
        autoFocus
        spellCheck={false}
        autoCapitalize="none"
        placeholder="support"
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={problem}
        hint="Leave empty for no folder. Moving changes the names, so applications that use the old names will no longer find the prompts."
      />
      <AffectedByMany names={prompts.map(({ name }) => name)} />
    </BulkDialog>
  );
}

function moveTo(folder: string, name: string): string {
  const own = name.slice(name.lastIndexOf('/') + 1);
  return folder === '' ? own : `${folder}/${own}`;
}
