import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Tabs } from 'radix-ui';
import { Page } from '../ui/Page.tsx';
import { tabClass, tabListClass } from '../ui/tabs.ts';

const tabs = [
  { to: '/dashboard/settings', label: 'Profile' },
  { to: '/dashboard/settings/members', label: 'Members' },
  { to: '/dashboard/settings/api-keys', label: 'API Keys' },
  { to: '/dashboard/settings/security', label: 'Security' },
  { to: '/dashboard/settings/appearance', label: 'Appearance' },
] as const;

/** The tabs of the settings. Each is a link with its own URL. */
export function SettingsLayout() {
  const pathname = useRouterState({ select: (state) => state.location.pathname.replace(/\/$/, '') });
  const current = tabs.find(({ to }) => to === pathname) ?? tabs[0];
  return (
    <Page title="Settings" documentTitle={`${current.label} · Settings`}>
      <Tabs.Root value={current.to} activationMode="manual">
        <Tabs.List aria-label="Settings" className={`mb-6 ${tabListClass}`}>
          {tabs.map(({ to, label }) => (
            <Tabs.Trigger key={to} value={to} asChild>
              <Link to={to} className={tabClass}>
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
