import { useState } from 'react';
import { call } from '../lib/api.ts';
import { plural } from '../lib/format.ts';
import type { Prompt } from '../lib/types.ts';
import { Field } from '../ui/Field.tsx';
import { toast } from '../ui/toasts.ts';
import { type BulkProgress, runForEach } from './actions.ts';
import { BulkDialog, type BulkDialogOptions } from './BulkDialog.tsx';
import { countNames } from './filters.ts';
import { refreshPrompts } from './queries.ts';
import { parseTags } from './tags.ts';

/** Adds tags to prompts, and removes tags from them. */
export function TagDialog({ prompts, onClose, onDone }: BulkDialogOptions<Prompt>) {
  const [text, setText] = useState('');
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const added = parseTags(text);
  const existing = countNames(prompts.map(({ tags }) => tags));

  const toggle = (tag: string) => {
    const next = new Set(removed);
    if (!next.delete(tag)) next.add(tag);
    setRemoved(next);
  };
  const apply = async (progress: BulkProgress) => {
    const tagsOf = new Map(prompts.map(({ name, tags }) => [name, [...new Set([...tags.filter((tag) => !removed.has(tag)), ...added])]]));
    const change = (name: string) => call('changePrompt', { path: { name }, body: { tags: tagsOf.get(name) } });
    const result = await runForEach([...tagsOf.keys()], change, progress);
    await refreshPrompts();
    if (result.done.length > 0) toast(`Tags of ${plural(result.done.length, 'prompt')} changed.`);
    return result;
  };

  return (
    <BulkDialog
      title={`Tag ${plural(prompts.length, 'prompt')}`}
      confirm="Save tags"
      isPossible={added.length > 0 || removed.size > 0}
      onClose={onClose}
      onConfirm={apply}
      onDone={onDone}
    >
      <Field label="Add tags" autoFocus value={text} onChange={(event) => setText(event.target.value)} hint="Separate tags with commas." />
      {existing.length > 0 && (
        <fieldset>
          <legend className="mb-1.5 font-medium">Remove tags</legend>
          <div className="flex max-h-40 flex-wrap gap-x-4 gap-y-1 overflow-y-auto">
            {existing.map((tag) => (
              <label key={tag} className="flex min-w-0 items-center gap-2">
                <input type="checkbox" className="accent-accent" checked={removed.has(tag)} onChange={() => toggle(tag)} />
                <span className="wrap-anywhere">{tag}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
    </BulkDialog>
  );
}
