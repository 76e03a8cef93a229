import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../lib/api.ts';
import { plural } from '../lib/format.ts';
import { queryClient } from '../lib/query-client.ts';
import type { Account, Workspace } from '../lib/types.ts';
import { workspacesQuery } from '../lib/workspace.ts';
import { membersQuery } from '../members/queries.ts';
import { overviewQuery } from '../prompts/queries.ts';
import { type Confirmation, ConfirmedDialog } from '../settings/ConfirmedDialog.tsx';
import { useEnterWorkspace } from '../shell/use-switch-workspace.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { toast } from '../ui/toasts.ts';

export function DeleteTeam({ workspace, account }: { workspace: Workspace; account: Account }) {
  const [open, setOpen] = useState(false);
  return (
    <Section
      title="Delete workspace"
      description="Permanently deletes this workspace with everything in it."
      actions={
        <Button kind="danger-quiet" onClick={() => setOpen(true)}>
          Delete workspace…
        </Button>
      }
    >
      {open && <DeleteDialog workspace={workspace} account={account} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function DeleteDialog({ workspace, account, onClose }: { workspace: Workspace; account: Account; onClose: () => void }) {
  const enter = useEnterWorkspace();
  const members = useQuery(membersQuery).data?.members ?? [];
  const prompts = useQuery(overviewQuery()).data?.prompts;
  const people = members.filter(({ kind, role }) => kind === 'person' && role !== 'owner');
  const programs = members.filter(({ kind }) => kind === 'service');

  const remove = async (proof: Confirmation) => {
    await call('deleteWorkspace', { path: { id: workspace.id }, body: proof });
    await enter(account.userId, '/dashboard/prompts');
    toast(`${workspace.name} was deleted.`);
    await queryClient.invalidateQueries(workspacesQuery);
  };

  return (
    <ConfirmedDialog
      account={account}
      title={`Delete ${workspace.name}?`}
      description={
        <>
          <p>This takes effect immediately and cannot be undone. It deletes:</p>
          <ul className="mt-2 list-disc space-y-1 pl-5">
            <li>{prompts ? plural(prompts, 'prompt') : 'all prompts'} with versions, labels and history, including those in the bin</li>
            <li>statistics, webhooks, model connections and invitations</li>
            {people.length > 0 && <li>access for {plural(people.length, 'other member')}</li>}
            {programs.length > 0 && <li>{plural(programs.length, 'service account')}, whose keys stop working</li>}
          </ul>
        </>
      }
      confirm="Delete workspace"
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
