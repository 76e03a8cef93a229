import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown, KeyRound, LogOut, Settings } from 'lucide-react';
import { messageOf } from '../lib/api.ts';
import { sessionQuery, signOut } from '../lib/session.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/Menu.tsx';
import { toastFailure } from '../ui/toasts.ts';

export function UserMenu({ onNavigate }: { onNavigate: (() => void) | undefined }) {
  const { data: user } = useQuery(sessionQuery);
  const navigate = useNavigate();

  const open = (to: '/dashboard/settings' | '/dashboard/settings/api-keys') => {
    onNavigate?.();
    void navigate({ to });
  };
  const leave = async () => {
    try {
      await signOut();
      await navigate({ to: '/login' });
    } catch (err) {
      toastFailure(messageOf(err));
    }
  };

  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="flex h-11 items-center gap-2.5 rounded-md px-2 text-left hover:bg-hover">
          <span className="sr-only">Account menu for</span>
          <Avatar userId={user?.userId ?? ''} name={user?.name ?? ''} />
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium text-xs">{user?.name}</span>
            <span className="block truncate text-2xs text-ink-3">{user?.email}</span>
          </span>
          <ChevronsUpDown aria-hidden className="size-3.5 text-ink-3" />
        </button>
      }
    >
      <MenuItem icon={KeyRound} onSelect={() => open('/dashboard/settings/api-keys')}>
        API Keys
      </MenuItem>
      <MenuItem icon={Settings} onSelect={() => open('/dashboard/settings')}>
        Settings
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={LogOut} onSelect={leave}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
