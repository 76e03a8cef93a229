import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Check, ChevronsUpDown, type LucideIcon, Plus, UserRound, Users } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyComponent } from '../lib/chunks.ts';
import type { Workspace } from '../lib/types.ts';
import { useWorkspace, workspacesQuery } from '../lib/workspace.ts';
import { Badge } from '../ui/Badge.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/Menu.tsx';
import { useSwitchWorkspace } from './use-switch-workspace.ts';

const NewTeamDialog = lazyComponent(async () => (await import('../workspace/NewTeamDialog.tsx')).NewTeamDialog);

/** Shows the current workspace and the user's role, and switches to another workspace. */
export function WorkspaceMenu({ onNavigate }: { onNavigate: (() => void) | undefined }) {
  const current = useWorkspace();
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  const switchTo = useSwitchWorkspace();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const iconOf = ({ id, kind }: Workspace): LucideIcon => (id === current.id ? Check : kind === 'team' ? Users : UserRound);

  return (
    <>
      <Menu
        align="start"
        trigger={
          <button type="button" className="mb-2 flex h-8 w-full items-center gap-2 rounded-md px-2 text-left hover:bg-hover">
            <span className="sr-only">Workspace:</span>
            <span className="min-w-0 truncate font-medium">{current.name || ' '}</span>
            {!current.isOwn && <Badge tone="accent">{current.role}</Badge>}
            <ChevronsUpDown aria-hidden className="ml-auto size-3.5 shrink-0 text-ink-3" />
          </button>
        }
      >
        <div className="max-h-[60dvh] w-72 max-w-[calc(100vw-2rem)] overflow-y-auto">
          {workspaces.map((workspace) => {
            const { id, name, kind, role, owner } = workspace;
            const isOwn = kind === 'personal' && role === 'owner';
            return (
              <MenuItem key={id} icon={iconOf(workspace)} onSelect={() => id !== current.id && void switchTo(workspace)}>
                <span className="min-w-0 truncate" title={name}>
                  {name}
                </span>
                <span className="min-w-14 flex-1 truncate text-ink-3 text-xs">
                  {isOwn ? 'your own' : kind === 'team' ? 'team' : owner.email}
                </span>
                {id === current.id && <span className="sr-only">(current)</span>}
                {!isOwn && <span className="text-ink-3 text-xs">{role}</span>}
              </MenuItem>
            );
          })}
        </div>
        <MenuSeparator />
        <MenuItem icon={Plus} onSelect={() => setCreating(true)}>
          New team workspace…
        </MenuItem>
        <MenuItem
          icon={Users}
          onSelect={() => {
            onNavigate?.();
            void navigate({ to: '/dashboard/settings/members' });
          }}
        >
          Members
        </MenuItem>
      </Menu>
      <Suspense>{isCreating && <NewTeamDialog onClose={() => setCreating(false)} />}</Suspense>
    </>
  );
}

/** Shows the name of the workspace on narrow screens, except in the user's own workspace. */
export function WorkspaceLabel() {
  const { isOwn, name, role } = useWorkspace();
  if (isOwn) return null;
  return (
    <span className="flex min-w-0 items-center gap-1.5 border-line border-l pl-2">
      <span className="truncate text-ink-2 text-xs">{name}</span>
      <Badge tone="accent">{role}</Badge>
    </span>
  );
}
