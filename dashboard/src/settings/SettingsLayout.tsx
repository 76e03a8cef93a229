import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useId } from 'react';
import { Page } from '../ui/Page.tsx';
import { TabList, useTabs } from '../ui/Tabs.tsx';

const accountTabs = [
  { to: '/dashboard/settings', label: 'Profile' },
  { to: '/dashboard/settings/security', label: 'Security' },
  { to: '/dashboard/settings/notifications', label: 'Notifications' },
  { to: '/dashboard/settings/appearance', label: 'Appearance' },
  { to: '/dashboard/settings/api-keys', label: 'API Keys' },
] as const;

const workspaceTabs = [
  { to: '/dashboard/settings/workspace', label: 'General' },
  { to: '/dashboard/settings/members', label: 'Members' },
  { to: '/dashboard/settings/labels', label: 'Labels' },
  { to: '/dashboard/settings/webhooks', label: 'Webhooks' },
  { to: '/dashboard/settings/models', label: 'Models' },
  { to: '/dashboard/settings/connect', label: 'Connect' },
  { to: '/dashboard/settings/activity', label: 'Activity' },
] as const;

type Tab = (typeof accountTabs | typeof workspaceTabs)[number];

/**
 * The tabs of the settings: the tabs of the account, which are the same in every workspace, and the tabs of the workspace. Each tab is a
 * link.
 */
export function SettingsLayout() {
  const pathname = useRouterState({ select: (state) => state.location.pathname.replace(/\/$/, '') });
  const isCurrent = ({ to }: Tab) => pathname === to || pathname.startsWith(`${to}/`);
  const current = workspaceTabs.find(isCurrent) ?? accountTabs.findLast(isCurrent) ?? accountTabs[0];
  const { tab, panel } = useTabs(current.to);
  return (
    <Page title="Settings" documentTitle={`${current.label} · Settings`}>
      <div className="mb-6 space-y-4">
        <TabGroup label="Your account" tabs={accountTabs} tab={tab} />
        <TabGroup label="Workspace" tabs={workspaceTabs} tab={tab} />
      </div>
      <div {...panel} className="max-w-3xl space-y-6">
        <Outlet />
      </div>
    </Page>
  );
}

function TabGroup({ label, tabs, tab }: { label: string; tabs: readonly Tab[]; tab: ReturnType<typeof useTabs>['tab'] }) {
  const id = useId();
  return (
    <div>
      <p id={id} className="px-2 text-2xs sm:px-3 text-ink-3">
        {label}
      </p>
      <TabList labelledBy={id}>
        {tabs.map(({ to, label: text }, index) => (
          <Link key={to} to={to} {...tab(to, index === 0)}>
            {text}
          </Link>
        ))}
      </TabList>
    </div>
  );
}
