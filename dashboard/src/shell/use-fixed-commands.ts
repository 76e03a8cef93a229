import { useQuery } from '@tanstack/react-query';
import { ArrowLeftRight } from 'lucide-react';
import { useMemo } from 'react';
import { useCurrentWorkspaceId } from '../lib/current-workspace.ts';
import type { Workspace } from '../lib/types.ts';
import { mayEdit, useWorkspace, workspacesQuery } from '../lib/workspace.ts';
import { type Command, fixedCommands } from './commands.ts';
import { useSwitchWorkspace } from './use-switch-workspace.ts';

/** Returns the pages and actions that are available to the user in this workspace, and the other workspaces. */
export function useFixedCommands(): Command[] {
  const canEdit = mayEdit(useWorkspace());
  const currentId = useCurrentWorkspaceId();
  const { data: workspaces } = useQuery(workspacesQuery);
  const switchTo = useSwitchWorkspace();
  return useMemo(() => {
    const others = workspaces?.filter((workspace) => (currentId === undefined ? !isOwn(workspace) : workspace.id !== currentId)) ?? [];
    return [
      ...fixedCommands.filter(({ id }) => canEdit || (id !== 'new' && id !== 'import')),
      ...others.map((workspace): Command => {
        const label = isOwn(workspace) ? 'Switch to your own workspace' : `Switch to ${workspace.name}`;
        return { id: workspace.id, label, group: 'Workspace', icon: ArrowLeftRight, run: () => switchTo(workspace) };
      }),
    ];
  }, [canEdit, currentId, workspaces, switchTo]);
}

function isOwn({ kind, role }: Workspace): boolean {
  return kind === 'personal' && role === 'owner';
}
