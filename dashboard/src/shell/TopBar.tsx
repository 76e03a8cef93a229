import { Link } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { useState } from 'react';
import { IconButton } from '../ui/Button.tsx';
import { Wordmark } from '../ui/Logo.tsx';
import { Sidebar } from './Sidebar.tsx';
import { WorkspaceLabel } from './WorkspaceMenu.tsx';

/** On narrow screens: the logo, search, and the navigation in a drawer. */
export function TopBar({ onSearch }: { onSearch: () => void }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <header className="sticky top-0 z-30 flex h-12 items-center gap-1 border-line border-b bg-page px-2 lg:hidden">
      <RadixDialog.Root open={open} onOpenChange={setOpen}>
        <RadixDialog.Trigger asChild>
          <IconButton label="Menu">
            <MenuIcon aria-hidden className="size-4.5" />
          </IconButton>
        </RadixDialog.Trigger>
        <RadixDialog.Portal>
          <RadixDialog.Overlay className="fixed inset-0 z-40 bg-scrim data-[state=open]:animate-fade" />
          <RadixDialog.Content
            aria-describedby={undefined}
            className="fixed inset-y-0 left-0 z-50 w-64 border-line border-r bg-sunken focus:outline-none"
          >
            <RadixDialog.Title className="sr-only">Navigation</RadixDialog.Title>
            <Sidebar
              onNavigate={close}
              onSearch={() => {
                close();
                onSearch();
              }}
            />
          </RadixDialog.Content>
        </RadixDialog.Portal>
      </RadixDialog.Root>
      <Link to="/dashboard" className="flex h-8 items-center rounded-md px-1">
        <Wordmark />
      </Link>
      <WorkspaceLabel />
      <IconButton label="Search" className="ml-auto" onClick={onSearch}>
        <Search aria-hidden className="size-4.5" />
      </IconButton>
    </header>
  );
}
