import { Link } from '@tanstack/react-router';
import { TabList, type useTabs } from '../ui/Tabs.tsx';

const views = [
  { view: 'editor', label: 'Editor' },
  { view: 'runs', label: 'Runs' },
  { view: 'history', label: 'History' },
  { view: 'candidates', label: 'Candidates' },
  { view: 'releases', label: 'Releases' },
  { view: 'checks', label: 'Checks' },
  { view: 'dependencies', label: 'Dependencies' },
  { view: 'code', label: 'Code' },
  { view: 'results', label: 'Results' },
  { view: 'stats', label: 'Statistics' },
] as const;

/** The tabs of a prompt's page, each of which is a link. */
export function ViewTabs({ promptName, tab }: { promptName: string; tab: ReturnType<typeof useTabs>['tab'] }) {
  return (
    <TabList label="Views" className="max-sm:mb-3 sm:border-0">
      {views.map(({ view: value, label }) => (
        <Link
          key={value}
          to="/dashboard/prompts/$"
          params={{ _splat: promptName }}
          search={value === 'editor' ? {} : { view: value }}
          {...tab(value)}
        >
          {label}
        </Link>
      ))}
    </TabList>
  );
}
