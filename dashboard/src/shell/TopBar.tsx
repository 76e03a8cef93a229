import { Link } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyComponent } from '../lib/chunks.ts';
import { IconButton } from '../ui/Button.tsx';
import { Wordmark } from '../ui/Logo.tsx';
import { LazyBell } from './LazyBell.tsx';
import { WorkspaceLabel } from './WorkspaceMenu.tsx';

const NavigationDrawer = lazyComponent(async () => (await import('./NavigationDrawer.tsx')).NavigationDrawer);

/** The top bar on narrow screens, with the logo, the search and a drawer for the navigation. */
export function TopBar({ onSearch }: { onSearch: () => void }) {
  const [open, setOpen] = useState(false);
  return (
    <header className="sticky top-0 z-30 flex h-12 items-center gap-1 border-line border-b bg-page px-2 lg:hidden">
      <IconButton label="Menu" aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(true)}>
        <MenuIcon aria-hidden className="size-4.5" />
      </IconButton>
      <Suspense>{open && <NavigationDrawer onClose={() => setOpen(false)} onSearch={onSearch} />}</Suspense>
      <Link to="/dashboard" className="flex h-8 items-center rounded-md px-1">
        <Wordmark />
      </Link>
      <WorkspaceLabel />
      <div className="ml-auto flex">
        <LazyBell />
        <IconButton label="Search" onClick={onSearch}>
          <Search aria-hidden className="size-4.5" />
        </IconButton>
      </div>
    </header>
  );
}
