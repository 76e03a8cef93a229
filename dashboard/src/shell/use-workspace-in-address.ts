import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useWorkspace, workspacesQuery } from '../lib/workspace.ts';

/**
 * Keeps the current workspace in the address, so that the link works for everybody who may see the page. A workspace that only its owner
 * can see is left out. Returns false if the address names a workspace that the user is not a member of.
 */
export function useWorkspaceInAddress(): boolean {
  const { listed } = useWorkspace();
  const { isSuccess } = useQuery(workspacesQuery);
  const named = useSearch({ from: '/dashboard', select: ({ workspace }) => workspace });
  const navigate = useNavigate();
  const wanted = listed?.shared ? listed.id : undefined;
  useEffect(() => {
    if (!listed || named === wanted) return;
    void navigate({ to: '.', search: (search) => ({ ...search, workspace: wanted }), hash: true, replace: true });
  }, [listed, named, wanted, navigate]);
  return listed !== undefined || !isSuccess;
}
