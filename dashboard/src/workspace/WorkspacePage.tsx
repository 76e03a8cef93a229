import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { maxAccountNameLength } from '../../../src/contract/limits.ts';
import { call, errorsByField, messageOf } from '../lib/api.ts';
import type { Workspace } from '../lib/types.ts';
import { refreshWorkspace, useWorkspace } from '../lib/workspace.ts';
import { accountQuery } from '../settings/account.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Field } from '../ui/Field.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { toast, toastFailure } from '../ui/toasts.ts';
import { DeleteTeam } from './DeleteTeam.tsx';
import { TransferTeam } from './TransferTeam.tsx';

/** The name, id and owner of the current workspace. The owner of a team can rename, transfer or delete the team here. */
export function WorkspacePage() {
  const { listed } = useWorkspace();
  const { data: account } = useQuery(accountQuery);
  if (!listed || !account) return <Loading rows={4} />;
  const isOwnedTeam = listed.kind === 'team' && listed.role === 'owner';
  return (
    <>
      <GeneralForm key={listed.id} workspace={listed} canRename={isOwnedTeam} />
      {isOwnedTeam && <TransferTeam workspace={listed} account={account} />}
      {isOwnedTeam && <DeleteTeam workspace={listed} account={account} />}
    </>
  );
}

function GeneralForm({ workspace, canRename }: { workspace: Workspace; canRename: boolean }) {
  const { id, name: savedName, kind, role, owner } = workspace;
  const [name, setName] = useState(savedName);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await call('renameWorkspace', { path: { id }, body: { name: name.trim() } });
      await refreshWorkspace();
      toast('Name saved.');
    } catch (err) {
      const message = errorsByField(err).name;
      if (message) setError(message);
      else toastFailure(messageOf(err));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form onSubmit={save} noValidate>
      <Section
        title="General"
        footer={
          canRename && (
            <div className="flex justify-end">
              <Button type="submit" kind="primary" busy={busy} disabled={name.trim() === savedName || name.trim() === ''}>
                Save
              </Button>
            </div>
          )
        }
      >
        <div className="grid max-w-md gap-4">
          <Field
            label="Name"
            maxLength={maxAccountNameLength}
            value={canRename ? name : savedName}
            disabled={!canRename}
            onChange={(event) => setName(event.target.value)}
            error={error}
            hint={canRename ? undefined : <NameHint kind={kind} isOwner={role === 'owner'} />}
          />
          <Field label="Owner" value={`${owner.name} <${owner.email}>`} disabled />
          <div>
            <div className="mb-1.5 font-medium">Workspace ID</div>
            <div className="flex items-center gap-1">
              <code className="truncate font-mono text-ink-2 text-xs">{id}</code>
              <CopyButton iconOnly label="Copy workspace ID" text={id} />
            </div>
            <p className="mt-1 text-ink-3 text-xs">
              Programs send this ID in the header <span className="whitespace-nowrap">PromptHarbor-Workspace</span>.
            </p>
          </div>
        </div>
      </Section>
    </form>
  );
}

function NameHint({ kind, isOwner }: { kind: Workspace['kind']; isOwner: boolean }) {
  if (kind === 'team') return 'Only the owner can rename a team workspace.';
  if (!isOwner) return 'This workspace is named after its owner.';
  return (
    <>
      Your own workspace has your name, which you can change in your{' '}
      <Link to="/dashboard/settings" className="underline">
        profile
      </Link>
      .
    </>
  );
}
