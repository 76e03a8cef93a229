import { type FormEvent, useState } from 'react';
import { CodeField } from '../auth/CodeField.tsx';
import { PasswordField } from '../auth/PasswordField.tsx';
import { deletePreviewValues } from '../editor/preview-storage.ts';
import { deleteDrafts } from '../editor/stored-drafts.ts';
import { messageOf, request } from '../lib/api.ts';
import { forgetSession } from '../lib/session.ts';
import type { Account } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { credentialErrors } from './credential-errors.ts';

export function DeleteAccount({ account }: { account: Account }) {
  const [open, setOpen] = useState(false);
  return (
    <Section
      title="Delete account"
      description="Permanently deletes your account and everything in it."
      actions={
        <Button kind="danger-quiet" onClick={() => setOpen(true)}>
          Delete account…
        </Button>
      }
    >
      {open && <DeleteDialog account={account} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function DeleteDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const fields = credentialErrors(error);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await request('DELETE', '/api/account', { password, ...(account.twoFactor && { code }) });
      deleteDrafts(account.userId);
      deletePreviewValues(account.userId);
      forgetSession();
      location.assign('/signup');
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Delete your account?"
      description={
        <>
          <p>This takes effect immediately and cannot be undone. It deletes:</p>
          <ul className="mt-2 list-disc space-y-1 pl-5">
            <li>your API key; applications that use it stop working</li>
            <li>all prompts with their versions, labels and history, including those in the bin</li>
            <li>your call statistics and all your sessions</li>
          </ul>
        </>
      }
    >
      <form onSubmit={submit} className="space-y-4" noValidate>
        <FormError>{error !== undefined && Object.keys(fields).length === 0 ? messageOf(error) : undefined}</FormError>
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          autoFocus
          value={password}
          onChange={setPassword}
          error={fields.password}
        />
        {account.twoFactor && <CodeField value={code} onChange={setCode} error={fields.code} autoFocus={false} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="danger" busy={busy} disabled={password === ''}>
            Delete everything
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
