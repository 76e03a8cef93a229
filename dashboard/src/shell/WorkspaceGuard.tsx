import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { queryClient } from '../lib/query-client.ts';
import { sessionQuery } from '../lib/session.ts';
import { useWorkspace, watchWorkspace, workspacesQuery } from '../lib/workspace.ts';
import { toastFailure } from '../ui/toasts.ts';
import { NoAccessPage } from './NoAccessPage.tsx';
import { findPromptName, lostText, useEnterWorkspace } from './use-switch-workspace.ts';

/**
 * Keeps the workspace in the URL, and tells users when they are not, or no longer, members of the workspace. This component is loaded after
 * the page has started.
 */
export function WorkspaceGuard({ onChange }: { onChange: (isMember: boolean) => void }) {
  const isMember = useMembership();
  useWorkspaceInAddress();
  useLeaveLostWorkspace();
  useEffect(() => onChange(isMember), [isMember, onChange]);
  return isMember ? null : <NoAccessPage />;
}

/** Returns whether the user is a member of the current workspace, as far as is known. */
function useMembership(): boolean {
  const { listed } = useWorkspace();
  const { isSuccess } = useQuery(workspacesQuery);
  return listed !== undefined || !isSuccess;
}

/**
 * Keeps the current workspace in the URL, so that the link works for everyone who may see the page. A workspace that only its owner can see
 * is omitted.
 */
function useWorkspaceInAddress(): void {
  const { listed } = useWorkspace();
  const named = useSearch({ from: '/dashboard', select: ({ workspace }) => workspace });
  const navigate = useNavigate();
  const wanted = listed?.shared ? listed.id : undefined;
  useEffect(() => {
    if (!listed || named === wanted) return;
    void navigate({ to: '.', search: (search) => ({ ...search, workspace: wanted }), hash: true, replace: true });
  }, [listed, named, wanted, navigate]);
}

/** Returns to the user's own workspace, with a message, when access to the current one has ended. */
function useLeaveLostWorkspace(): void {
  const router = useRouter();
  const enter = useEnterWorkspace();
  useEffect(
    () =>
      watchWorkspace((lostId) => {
        const own = queryClient.getQueryData(sessionQuery.queryKey)?.userId;
        const lost = queryClient.getQueryData(workspacesQuery.queryKey)?.data.find(({ id }) => id === lostId);
        void queryClient.invalidateQueries(workspacesQuery);
        // A link to a workspace that the user was never a member of opens a page that says so.
        if (own === undefined || !lost) return;
        void enter(own, findPromptName(router) === undefined ? '.' : '/dashboard/prompts').then(() => toastFailure(lostText(lost)));
      }),
    [router, enter],
  );
}
