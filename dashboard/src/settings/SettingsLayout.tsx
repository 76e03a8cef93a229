import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Page } from '../ui/Page.tsx';
import { TabList, useTabs } from '../ui/Tabs.tsx';

const tabs = [
  { to: '/dashboard/settings', label: 'Profile' },
  { to: '/dashboard/settings/members', label: 'Members' },
  { to: '/dashboard/settings/labels', label: 'Labels' },
  { to: '/dashboard/settings/webhooks', label: 'Webhooks' },
  { to: '/dashboard/settings/models', label: 'Models' },
  { to: '/dashboard/settings/api-keys', label: 'API Keys' },
  { to: '/dashboard/settings/connect', label: 'Connect' },
  { to: '/dashboard/settings/security', label: 'Security' },
  { to: '/dashboard/settings/appearance', label: 'Appearance' },
] as const;

/** The tabs of the settings. Each is a link with its own URL. */
export function SettingsLayout() {
  const pathname = useRouterState({ select: (state) => state.location.pathname.replace(/\/$/, '') });
  const current = tabs.findLast(({ to }) => pathname === to || pathname.startsWith(`${to}/`)) ?? tabs[0];
  const { tab, panel } = useTabs(current.to);
  return (
    <Page title="Settings" documentTitle={`${current.label} · Settings`}>
      <TabList label="Settings" className="mb-6">
        {tabs.map(({ to, label }) => (
          <Link key={to} to={to} {...tab(to)}>
            {label}
          </Link>
        ))}
      </TabList>
      <div {...panel} className="max-w-3xl space-y-6">
        <Outlet />
      </div>
    </Page>
  );
}
