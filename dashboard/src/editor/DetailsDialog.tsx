import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { maxDescriptionLength } from '../../../src/contract/limits.ts';
import { call, messageOf } from '../lib/api.ts';
import { plural } from '../lib/format.ts';
import { queryClient } from '../lib/query-client.ts';
import type { Prompt } from '../lib/types.ts';
import { dependentsQuery, directOnly } from '../prompts/dependents.ts';
import { promptFieldErrors } from '../prompts/field-errors.ts';
import { promptQuery, refreshPrompts } from '../prompts/queries.ts';
import { defaultDecision, RenameChoice } from '../prompts/RenameChoice.tsx';
import { renameDependents } from '../prompts/rename-dependents.ts';
import { parseTags } from '../prompts/tags.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field, FormError } from '../ui/Field.tsx';
import { toast, toastFailure } from '../ui/toasts.ts';

interface DetailsDialogProps {
  prompt: Prompt;
  onClose: () => void;
  /** Whether to stay on the current page after a rename. */
  stay?: boolean;
}

/** Edits the prompt's metadata, which does not create a new version. */
export function DetailsDialog({ prompt, onClose, stay = false }: DetailsDialogProps) {
  const navigate = useNavigate();
  const [opened] = useState(prompt);
  const [form, setForm] = useState({ name: prompt.name, description: prompt.description, tags: prompt.tags.join(', ') });
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const fields = promptFieldErrors(error, form.name);
  const isRenamed = form.name.trim() !== prompt.name;
  const [decision, setDecision] = useState(defaultDecision);
  const { data, isPending } = useQuery(dependentsQuery(prompt.name));
  // Prompts that include this one only through other prompts do not contain its name.
  const dependents = data && directOnly(data);

  const changeDependents = async (to: string) => {
    if (!dependents || !decision.save) return;
    const { saved, problems } = await renameDependents(dependents.dependents, { from: prompt.name, to, labels: decision.labels });
    if (saved > 0) toast(`${plural(saved, 'prompt')} now include${saved === 1 ? 's' : ''} ${to}.`);
    for (const problem of problems.slice(0, 2)) toastFailure(problem);
  };

  const save = async (event: FormEvent) => {
    event.preventDefault();
    const [name, description, tags] = [form.name.trim(), form.description.trim(), parseTags(form.tags)];
    // The request has only the fields that were changed here, so that concurrent changes by others are kept.
    const body = {
      ...(isRenamed && { name }),
      ...(description !== opened.description && { description }),
      ...(tags.join() !== opened.tags.join() && { tags }),
    };
    if (Object.keys(body).length === 0) {
      onClose();
      return;
    }
    setBusy(true);
    setError(undefined);
    try {
      const changed = await call('changePrompt', { path: { name: prompt.name }, body });
      queryClient.setQueryData(promptQuery(name).queryKey, changed);
      if (isRenamed) await changeDependents(name);
      toast(isRenamed ? `Renamed to ${name}.` : 'Saved.');
      onClose();
      if (isRenamed && !stay) await navigate({ to: '/dashboard/prompts/$', params: { _splat: name }, search: {}, replace: true });
      void refreshPrompts();
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };

  return (
    <Dialog open onOpenChange={onClose} title="Name, description, tags">
      <form onSubmit={save} className="space-y-4" noValidate>
        <FormError>{error !== undefined && Object.keys(fields).length === 0 ? messageOf(error) : undefined}</FormError>
        <Field
          label="Name"
          spellCheck={false}
          autoCapitalize="none"
          value={form.name}
          onChange={(event) => setForm({ ...form, name: event.target.value })}
          error={fields.name}
          hint={isRenamed ? 'Applications that fetch the prompt by the old name will no longer find it.' : undefined}
        />
        {isRenamed && dependents && dependents.dependents.length > 0 && (
          <RenameChoice dependents={dependents} name={form.name.trim()} decision={decision} onChange={setDecision} />
        )}
        <Field
          label="Description"
          maxLength={maxDescriptionLength}
          value={form.description}
          onChange={(event) => setForm({ ...form, description: event.target.value })}
          error={fields.description}
        />
        <Field
          label="Tags"
          value={form.tags}
          onChange={(event) => setForm({ ...form, tags: event.target.value })}
          error={fields.tags}
          hint="Separate tags with commas."
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={busy} disabled={isRenamed && isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
