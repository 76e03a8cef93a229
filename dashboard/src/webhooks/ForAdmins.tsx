import { useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { mayManage, titleOf, useWorkspace, workspacesQuery } from '../lib/workspace.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Loading } from '../ui/Skeleton.tsx';

/** Shows webhooks to admins. Tells everyone else why they cannot see the webhooks. */
export function ForAdmins({ children }: { children: ReactNode }) {
  const { isPending } = useQuery(workspacesQuery);
  const workspace = useWorkspace();
  if (mayManage(workspace)) return children;
  if (isPending) return <Loading label="Loading webhooks" rows={4} />;
  return (
    <EmptyState icon={Lock} title="Only admins can manage webhooks">
      Your role in {workspace.listed && titleOf(workspace.listed)} is {workspace.role}. To see or change its webhooks, ask an admin.
    </EmptyState>
  );
}
