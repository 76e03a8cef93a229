import type { UseNavigateResult } from '@tanstack/react-router';
import { FileText, KeyRound, LogOut, type LucideIcon, MessagesSquare, Moon, Palette, Plus, ShieldCheck, Sun, Users } from 'lucide-react';
import { signOut } from '../lib/session.ts';
import { setTheme } from '../lib/theme.ts';
import type { Prompt } from '../lib/types.ts';
import { destinations } from './navigation.ts';

export interface Command {
  id: string;
  label: string;
  group: 'Prompt' | 'Page' | 'Action' | 'Workspace';
  icon: LucideIcon;
  run: (navigate: UseNavigateResult<string>) => unknown;
}

export const fixedCommands: Command[] = [
  { id: 'new', label: 'New prompt', group: 'Action', icon: Plus, run: (navigate) => navigate({ to: '/dashboard/new' }) },
  ...destinations.map(({ to, label, icon }): Command => ({ id: to, label, group: 'Page', icon, run: (navigate) => navigate({ to }) })),
  {
    id: 'members',
    label: 'Members',
    group: 'Page',
    icon: Users,
    run: (navigate) => navigate({ to: '/dashboard/settings/members' }),
  },
  {
    id: 'keys',
    label: 'API Keys',
    group: 'Page',
    icon: KeyRound,
    run: (navigate) => navigate({ to: '/dashboard/settings/api-keys' }),
  },
  {
    id: 'security',
    label: 'Security',
    group: 'Page',
    icon: ShieldCheck,
    run: (navigate) => navigate({ to: '/dashboard/settings/security' }),
  },
  {
    id: 'appearance',
    label: 'Appearance',
    group: 'Page',
    icon: Palette,
    run: (navigate) => navigate({ to: '/dashboard/settings/appearance' }),
  },
  { id: 'light', label: 'Light theme', group: 'Action', icon: Sun, run: () => setTheme('light') },
  { id: 'dark', label: 'Dark theme', group: 'Action', icon: Moon, run: () => setTheme('dark') },
  {
    id: 'out',
    label: 'Sign out',
    group: 'Action',
    icon: LogOut,
    run: async (navigate) => {
      await signOut();
      await navigate({ to: '/login' });
    },
  },
];

export function promptCommands(prompts: Prompt[]): Command[] {
  return prompts.map(({ id, name, type }) => ({
    id,
    label: name,
    group: 'Prompt',
    icon: type === 'chat' ? MessagesSquare : FileText,
    run: (navigate) => navigate({ to: '/dashboard/prompts/$', params: { _splat: name } }),
  }));
}

const maxResults = 30;

/** The commands that contain every word; those that start with the text come first. */
export function findCommands(commands: Command[], text: string): Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = commands.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
  const rank = ({ label }: Command) => (label.toLowerCase().startsWith(text.toLowerCase()) ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b)).slice(0, maxResults);
}
