import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { memberRoles } from '../../../src/contract/roles.ts';
import { sessionQuery } from '../lib/session.ts';
import type { Member } from '../lib/types.ts';
import { type CurrentWorkspace, mayManage, titleOf, useWorkspace } from '../lib/workspace.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { MemberRow } from './MemberRow.tsx';
import { roleTexts } from './roles.ts';

/** Lists the people in the workspace, starting with the owner. */
export function MemberList({ people, hasInvitations }: { people: Member[]; hasInvitations: boolean }) {
  const workspace = useWorkspace();
  const { data: user } = useQuery(sessionQuery);
  const [inviting, setInviting] = useState(false);
  const canManage = mayManage(workspace);
  const isAlone = people.length === 1 && !hasInvitations;
  return (
    <Section
      title="People"
      description={describe(workspace, canManage)}
      actions={
        canManage && (
          <Button kind="primary" onClick={() => setInviting(true)}>
            <UserPlus aria-hidden className="size-4" />
            Invite
          </Button>
        )
      }
    >
      <ul className="divide-y divide-line">
        {people.map((member) => (
          <MemberRow key={member.userId} member={member} isSelf={member.userId === user?.userId} />
        ))}
      </ul>
      {isAlone && canManage && <RoleGuide />}
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Section>
  );
}

function describe({ isOwn, listed, role }: CurrentWorkspace, canManage: boolean): string {
  if (isOwn) return 'Members work with your prompts. Each has their own account, API key and role.';
  const text = `Members work with the prompts in ${listed ? titleOf(listed) : 'this workspace'}.`;
  return canManage ? text : `${text} Your role is ${role}. Only admins can change members.`;
}

function RoleGuide() {
  return (
    <div className="mt-4 rounded-lg border border-line bg-sunken p-4">
      <p className="font-medium">No other members yet</p>
      <p className="mt-1 text-ink-2">Invite people and choose a role for each:</p>
      <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        {memberRoles.map((role) => (
          <div key={role} className="contents">
            <dt className="font-medium">{role}</dt>
            <dd className="text-ink-2">{roleTexts[role]}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
