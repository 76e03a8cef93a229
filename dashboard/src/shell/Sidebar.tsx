import { Link } from '@tanstack/react-router';
import { BookOpen, Search } from 'lucide-react';
import { Suspense } from 'react';
import { lazyComponent } from '../lib/chunks.ts';
import { controlKey } from '../lib/control-key.ts';
import { cx } from '../lib/cx.ts';
import { Kbd } from '../ui/Kbd.tsx';
import { Wordmark } from '../ui/Logo.tsx';
import { LazyBell } from './LazyBell.tsx';
import { destinations } from './navigation.ts';
import { UserMenu } from './UserMenu.tsx';
import { WorkspaceMenu } from './WorkspaceMenu.tsx';

const WaitingCount = lazyComponent(async () => (await import('./WaitingCount.tsx')).WaitingCount);

const itemClass = 'flex h-8 items-center gap-2.5 rounded-md px-2 font-medium transition-colors duration-100 hover:bg-hover hover:text-ink';
const inactiveClass = 'text-ink-2';
const activeClass = 'bg-surface text-ink shadow-[0_0_0_1px_var(--line),0_1px_2px_var(--shadow-tint)]';

export function Sidebar({ onSearch, onNavigate }: { onSearch: () => void; onNavigate?: () => void }) {
  return (
    <div className="flex h-full flex-col gap-1 p-3">
      <div className="mb-1 flex items-center justify-between">
        <Link to="/dashboard" className="flex h-8 items-center rounded-md px-2" onClick={onNavigate}>
          <Wordmark />
        </Link>
        {/* On narrow screens, the bell is in the top bar. */}
        {!onNavigate && <LazyBell />}
      </div>
      <WorkspaceMenu onNavigate={onNavigate} />
      <button
        type="button"
        onClick={onSearch}
        className="mb-2 flex h-8 items-center gap-2 rounded-md border border-line-strong bg-surface px-2 text-ink-3 shadow-card hover:border-ink-3"
      >
        <Search aria-hidden className="size-4" />
        Search
        <span className="ml-auto flex gap-0.5" aria-hidden>
          <Kbd>{controlKey}</Kbd>
          <Kbd>K</Kbd>
        </span>
      </button>
      <nav aria-label="Main" className="flex flex-col gap-0.5">
        {destinations.map(({ to, label, icon: Icon, exact = false }) => (
          <Link
            key={to}
            to={to}
            className={itemClass}
            activeOptions={{ exact, includeSearch: false }}
            activeProps={{ className: activeClass }}
            inactiveProps={{ className: inactiveClass }}
            onClick={onNavigate}
          >
            <Icon aria-hidden className="size-4" strokeWidth={1.75} />
            {label}
            <Suspense>{to === '/dashboard/proposals' && <WaitingCount />}</Suspense>
          </Link>
        ))}
      </nav>
      <div className="mt-auto flex flex-col gap-0.5">
        <a href="/docs/guides" className={cx(itemClass, inactiveClass)}>
          <BookOpen aria-hidden className="size-4" strokeWidth={1.75} />
          Documentation
        </a>
        <UserMenu onNavigate={onNavigate} />
      </div>
    </div>
  );
}
