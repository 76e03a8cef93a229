import { type FormEvent, useState } from 'react';
import { maxAccountNameLength } from '../../../src/contract/limits.ts';
import { call, errorsByField, messageOf } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import { workspacesQuery } from '../lib/workspace.ts';
import { useEnterWorkspace } from '../shell/use-switch-workspace.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field, FormError } from '../ui/Field.tsx';
import { toast } from '../ui/toasts.ts';

/** Creates a team workspace and opens it. */
export function NewTeamDialog({ onClose }: { onClose: () => void }) {
  const enter = useEnterWorkspace();
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const fields = errorsByField(error);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      const created = await call('createWorkspace', { body: { name: name.trim() } });
      await queryClient.invalidateQueries(workspacesQuery);
      onClose();
      await enter(created.id, '/dashboard/prompts');
      toast(`${created.name} was created. Invite others under Settings › Members.`);
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="New team workspace"
      description="A team workspace has its own prompts, members and settings."
    >
      <form onSubmit={submit} className="space-y-4" noValidate>
        <FormError>{error !== undefined && !fields.name ? messageOf(error) : undefined}</FormError>
        <Field
          label="Name"
          required
          autoFocus
          autoComplete="off"
          maxLength={maxAccountNameLength}
          placeholder="Support team"
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={fields.name}
          hint="You own it, and can transfer it to another member later."
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={busy} disabled={name.trim() === ''}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
