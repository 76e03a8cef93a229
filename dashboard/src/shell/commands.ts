import type { UseNavigateResult } from '@tanstack/react-router';
import {
  BookOpen,
  Cpu,
  FileText,
  History,
  KeyRound,
  LogOut,
  type LucideIcon,
  MessagesSquare,
  Moon,
  Palette,
  Plug,
  Plus,
  Settings,
  ShieldCheck,
  Sun,
  Tag,
  Users,
  Webhook,
} from 'lucide-react';
import { signOut } from '../lib/session.ts';
import { setTheme } from '../lib/theme.ts';
import type { Prompt } from '../lib/types.ts';
import { scoreMatch } from './fuzzy.ts';
import { destinations } from './navigation.ts';
import type { PageCommand } from './page-commands.ts';

export interface Command {
  id: string;
  label: string;
  /** Details of the command, shown after its label. */
  detail?: string | undefined;
  group: 'Favorite' | 'Prompt' | 'Text in prompt' | 'This page' | 'Page' | 'Action' | 'Workspace';
  icon: LucideIcon;
  run: (navigate: UseNavigateResult<string>) => unknown;
}

/** A dialog that a command opens. */
export type PaletteDialog = 'shortcuts' | 'team';

export const fixedCommands: Command[] = [
  { id: 'new', label: 'New prompt', group: 'Action', icon: Plus, run: (navigate) => navigate({ to: '/dashboard/new' }) },
  { id: 'import', label: 'Import prompts', group: 'Action', icon: FileText, run: (navigate) => navigate({ to: '/dashboard/import' }) },
  ...destinations.map(({ to, label, icon }): Command => ({ id: to, label, group: 'Page', icon, run: (navigate) => navigate({ to }) })),
  {
    id: 'general',
    label: 'General workspace settings',
    group: 'Page',
    icon: Settings,
    run: (navigate) => navigate({ to: '/dashboard/settings/workspace' }),
  },
  {
    id: 'members',
    label: 'Members',
    group: 'Page',
    icon: Users,
    run: (navigate) => navigate({ to: '/dashboard/settings/members' }),
  },
  {
    id: 'labels',
    label: 'Labels: protection and required checks',
    group: 'Page',
    icon: Tag,
    run: (navigate) => navigate({ to: '/dashboard/settings/labels' }),
  },
  {
    id: 'webhooks',
    label: 'Webhooks',
    group: 'Page',
    icon: Webhook,
    run: (navigate) => navigate({ to: '/dashboard/settings/webhooks' }),
  },
  {
    id: 'models',
    label: 'Models',
    group: 'Page',
    icon: Cpu,
    run: (navigate) => navigate({ to: '/dashboard/settings/models' }),
  },
  {
    id: 'keys',
    label: 'API Keys',
    group: 'Page',
    icon: KeyRound,
    run: (navigate) => navigate({ to: '/dashboard/settings/api-keys' }),
  },
  {
    id: 'connect',
    label: 'Connect an assistant',
    group: 'Page',
    icon: Plug,
    run: (navigate) => navigate({ to: '/dashboard/settings/connect' }),
  },
  {
    id: 'activity',
    label: 'Activity',
    group: 'Page',
    icon: History,
    run: (navigate) => navigate({ to: '/dashboard/settings/activity' }),
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
  { id: 'guides', label: 'Documentation', group: 'Page', icon: BookOpen, run: () => location.assign('/docs/guides') },
  { id: 'docs', label: 'API reference', group: 'Page', icon: BookOpen, run: () => location.assign('/docs') },
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

export function promptCommands(prompts: Pick<Prompt, 'id' | 'name' | 'type'>[]): Command[] {
  return prompts.map(({ id, name, type }) => ({
    id,
    label: name,
    group: 'Prompt',
    icon: type === 'chat' ? MessagesSquare : FileText,
    run: (navigate) => navigate({ to: '/dashboard/prompts/$', params: { _splat: name } }),
  }));
}

/** Finds the prompts that contain the search text. Returns a command for each prompt, which opens it and shows its first matching line. */
export function textCommands(prompts: Prompt[]): Command[] {
  return promptCommands(prompts).map((command, index) => ({
    ...command,
    group: 'Text in prompt',
    detail: prompts[index]?.matches?.find(({ path }) => path !== '/name')?.text,
  }));
}

export function pageCommands(commands: PageCommand[]): Command[] {
  return commands.map(({ label, icon, run }) => ({ id: `page ${label}`, label, group: 'This page', icon, run }));
}

const maxResults = 30;

/** Returns the matching commands, best first. Equal matches keep their order, so that the actions of the page come before all others. */
export function findCommands(commands: Command[], text: string): Command[] {
  if (text.trim() === '') return commands.slice(0, maxResults);
  return commands
    .flatMap((command) => {
      const score = scoreMatch(command.label, text);
      return score === undefined ? [] : [{ command, score }];
    })
    .sort((a, b) => a.score - b.score)
    .slice(0, maxResults)
    .map(({ command }) => command);
}
