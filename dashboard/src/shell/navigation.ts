import { ChartNoAxesColumn, FileText, GitPullRequestArrow, type LucideIcon, Settings, Trash2 } from 'lucide-react';

interface Destination {
  to: '/dashboard' | '/dashboard/prompts' | '/dashboard/proposals' | '/dashboard/bin' | '/dashboard/settings';
  label: string;
  icon: LucideIcon;
  /** Whether the entry is active only at this exact path, and not at paths below it. */
  exact?: boolean;
}

export const destinations: Destination[] = [
  { to: '/dashboard', label: 'Statistics', icon: ChartNoAxesColumn, exact: true },
  { to: '/dashboard/prompts', label: 'Prompts', icon: FileText },
  { to: '/dashboard/proposals', label: 'Proposals', icon: GitPullRequestArrow },
  { to: '/dashboard/bin', label: 'Bin', icon: Trash2 },
  { to: '/dashboard/settings', label: 'Settings', icon: Settings },
];
