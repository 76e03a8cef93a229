import { useQuery } from '@tanstack/react-query';
import { mayManage, useWorkspace } from '../lib/workspace.ts';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { InvitationList } from './InvitationList.tsx';
import { MemberList } from './MemberList.tsx';
import { membersQuery } from './queries.ts';
import { ServiceAccounts } from './ServiceAccounts.tsx';

/**
 * The people and programs of the current workspace. Admins can change the members. Everyone else can see the members, and leave the
 * workspace.
 */
export function MembersPage() {
  const members = useQuery(membersQuery);
  const canManage = mayManage(useWorkspace());
  if (members.isPending) return <Loading label="Loading members" rows={6} />;
  // After a failed refetch the page keeps its content, because a new key or link is shown only once.
  if (!members.data) return <Problem error={members.error} onRetry={() => members.refetch()} />;
  const { members: all, invitations, isComplete } = members.data;
  return (
    <>
      <MemberList people={all.filter(({ kind }) => kind === 'person')} hasInvitations={invitations.length > 0} />
      {canManage && invitations.length > 0 && <InvitationList invitations={invitations} />}
      <ServiceAccounts accounts={all.filter(({ kind }) => kind === 'service')} />
      {!isComplete && (
        <p className="text-ink-3 text-xs">Only the first {all.length + invitations.length} are shown. Use the API to list all.</p>
      )}
    </>
  );
}
