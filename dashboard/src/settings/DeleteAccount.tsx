import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { CodeField } from '../auth/CodeField.tsx';
import { PasswordField } from '../auth/PasswordField.tsx';
import { deleteDrafts } from '../editor/drafts/stored-drafts.ts';
import { deletePreviewValues } from '../editor/preview/preview-storage.ts';
import { call, messageOf } from '../lib/api.ts';
import { plural } from '../lib/format.ts';
import { forgetSession } from '../lib/session.ts';
import type { Account, Member } from '../lib/types.ts';
import { useWorkspace, workspacesQuery } from '../lib/workspace.ts';
import { membersQuery } from '../members/queries.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { credentialErrors } from './credential-errors.ts';

export function DeleteAccount({ account }: { account: Account }) {
  const [open, setOpen] = useState(false);
  const { isOwn } = useWorkspace();
  if (!isOwn) {
    return (
      <Section
        title="Delete account"
        description="To delete your account, switch to your own workspace first. It is deleted with the account."
      />
    );
  }
  return (
    <Section
      title="Delete account"
      description="Permanently deletes your account and your workspace with everything in it."
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
      await call('deleteAccount', { body: { password, ...(account.twoFactor && { code }) } });
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
            <Affected />
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

/** Who else loses something. */
function Affected() {
  const members = useQuery(membersQuery).data?.members ?? [];
  const joined = (useQuery(workspacesQuery).data ?? []).filter(({ role }) => role !== 'owner');
  const people = members.filter(({ kind, role }) => kind === 'person' && role !== 'owner');
  const programs = members.filter(({ kind }) => kind === 'service');
  return (
    <>
      {people.length > 0 && (
        <li>
          access to your workspace for {plural(people.length, 'member')}: {namesOf(people)}
        </li>
      )}
      {programs.length > 0 && (
        <li>
          {plural(programs.length, 'service account')}, whose keys stop working: {namesOf(programs)}
        </li>
      )}
      {joined.length > 0 && <li>your memberships in other workspaces: {namesOf(joined)}</li>}
    </>
  );
}

const maxNames = 5;

function namesOf(all: Pick<Member, 'name'>[]): string {
  const names = all.slice(0, maxNames).map(({ name }) => name);
  return all.length > maxNames ? `${names.join(', ')} and ${all.length - maxNames} more` : names.join(', ');
}
