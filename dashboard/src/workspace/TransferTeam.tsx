import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { call } from '../lib/api.ts';
import type { Account, Workspace } from '../lib/types.ts';
import { refreshWorkspace } from '../lib/workspace.ts';
import { membersQuery } from '../members/queries.ts';
import { type Confirmation, ConfirmedDialog } from '../settings/ConfirmedDialog.tsx';
import { Button, buttonClass } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { Select } from '../ui/Select.tsx';
import { toast } from '../ui/toasts.ts';

/** Lets the owner of a team transfer the team to another member. */
export function TransferTeam({ workspace, account }: { workspace: Workspace; account: Account }) {
  const [open, setOpen] = useState(false);
  const members = useQuery(membersQuery).data?.members ?? [];
  const people = members.filter(({ kind, role }) => kind === 'person' && role !== 'owner');
  return (
    <Section
      title="Transfer workspace"
      description={
        people.length > 0
          ? 'Makes another member the owner. You stay in the workspace as an admin.'
          : 'Invite another member first. Then you can make them the owner.'
      }
      actions={
        people.length > 0 ? (
          <Button onClick={() => setOpen(true)}>Transfer workspace…</Button>
        ) : (
          <Link to="/dashboard/settings/members" className={buttonClass('secondary')}>
            Go to Members
          </Link>
        )
      }
    >
      {open && <TransferDialog workspace={workspace} account={account} people={people} onClose={() => setOpen(false)} />}
    </Section>
  );
}

interface TransferDialogProps {
  workspace: Workspace;
  account: Account;
  people: { userId: string; name: string; email: string | null }[];
  onClose: () => void;
}

function TransferDialog({ workspace, account, people, onClose }: TransferDialogProps) {
  const id = useId();
  const [userId, setUserId] = useState('');
  const transfer = async (proof: Confirmation) => {
    await call('transferWorkspace', { path: { id: workspace.id }, body: { ...proof, userId } });
    onClose();
    toast(`${people.find((person) => person.userId === userId)?.name} now owns ${workspace.name}.`);
    await refreshWorkspace();
  };
  return (
    <ConfirmedDialog
      account={account}
      title={`Transfer ${workspace.name}?`}
      description="The new owner can rename, transfer and delete the workspace. You stay in it as an admin."
      confirm="Transfer workspace"
      isReady={userId !== ''}
      onConfirm={transfer}
      onClose={onClose}
    >
      <div>
        <label htmlFor={id} className="mb-1.5 block font-medium">
          New owner
        </label>
        <Select id={id} className="w-full" autoFocus value={userId} onChange={(event) => setUserId(event.target.value)}>
          <option value="">Select a member</option>
          {people.map((person) => (
            <option key={person.userId} value={person.userId}>
              {person.name} ({person.email})
            </option>
          ))}
        </Select>
      </div>
    </ConfirmedDialog>
  );
}
