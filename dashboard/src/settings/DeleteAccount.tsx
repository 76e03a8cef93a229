import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deleteDrafts } from '../editor/drafts/stored-drafts.ts';
import { deletePreviewValues } from '../editor/preview/preview-storage.ts';
import { call } from '../lib/api.ts';
import { plural } from '../lib/format.ts';
import { forgetSession } from '../lib/session.ts';
import type { Account, Member } from '../lib/types.ts';
import { useWorkspace, workspacesQuery } from '../lib/workspace.ts';
import { membersQuery } from '../members/queries.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { type Confirmation, ConfirmedDialog } from './ConfirmedDialog.tsx';

export function DeleteAccount({ account }: { account: Account }) {
  const [open, setOpen] = useState(false);
  const { isOwn } = useWorkspace();
  const owned = (useQuery(workspacesQuery).data ?? []).filter(({ kind, role }) => kind === 'team' && role === 'owner');
  if (owned.length > 0) {
    const text = `You own ${namesOf(owned)}. Before you can delete your account, open each of these workspaces and transfer or delete it under Settings › General.`;
    return <Section title="Delete account" description={text} />;
  }
  if (!isOwn) {
    return (
      <Section
        title="Delete account"
        description="To delete your account, switch to your own workspace first. That workspace is deleted with the account."
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
  const remove = async (proof: Confirmation) => {
    await call('deleteAccount', { body: proof });
    deleteDrafts(account.userId);
    deletePreviewValues(account.userId);
    forgetSession();
    location.assign('/signup');
  };
  return (
    <ConfirmedDialog
      account={account}
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
      confirm="Delete everything"
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

/** Lists the people and programs that lose access, and the memberships that end. */
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
  if (all.length > maxNames) names.push(`${all.length - maxNames} more`);
  return new Intl.ListFormat('en').format(names);
}
