import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Tabs } from 'radix-ui';
import { Page } from '../ui/Page.tsx';

const tabs = [
  { to: '/dashboard/settings', label: 'Profile' },
  { to: '/dashboard/settings/api-keys', label: 'API Keys' },
  { to: '/dashboard/settings/security', label: 'Security' },
  { to: '/dashboard/settings/appearance', label: 'Appearance' },
] as const;

/** The settings' tabs. Each is a link with an address of its own. */
export function SettingsLayout() {
  const pathname = useRouterState({ select: (state) => state.location.pathname.replace(/\/$/, '') });
  const current = tabs.find(({ to }) => to === pathname) ?? tabs[0];
  return (
    <Page title="Settings" documentTitle={`${current.label} · Settings`}>
      <Tabs.Root value={current.to} activationMode="manual">
        <Tabs.List aria-label="Settings" className="mb-6 flex gap-1 overflow-x-auto border-line border-b">
          {tabs.map(({ to, label }) => (
            <Tabs.Trigger key={to} value={to} asChild>
              <Link
                to={to}
                className="-mb-px shrink-0 border-transparent border-b-2 px-3 pt-1.5 pb-2.5 font-medium text-ink-2 -outline-offset-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
              >
                {label}
              </Link>
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value={current.to} tabIndex={-1} className="max-w-3xl space-y-6">
          <Outlet />
        </Tabs.Content>
      </Tabs.Root>
    </Page>
  );
}
