import { useNavigate } from '@tanstack/react-router';
import { ChartColumn, Code, GitCompare, History, Link2, PenLine, Rocket, Save } from 'lucide-react';
import type { Prompt } from '../lib/types.ts';
import { usePageCommands } from '../shell/page-commands.ts';

interface PromptCommands {
  prompt: Prompt;
  /** Undefined if there is nothing to save, or the user may not. */
  save: (() => void) | undefined;
  /** Undefined if the user may not. */
  deploy: (() => void) | undefined;
}

/** Offers the actions and views of a prompt in the command palette. */
export function usePromptCommands({ prompt, save, deploy }: PromptCommands): void {
  const navigate = useNavigate();
  const show = (search: { view?: 'history' | 'includes' | 'use' | 'stats'; from?: number; to?: number }) =>
    navigate({ to: '/dashboard/prompts/$', params: { _splat: prompt.name }, search });
  const newest = prompt.latestVersion;
  usePageCommands([
    ...(save ? [{ label: 'Save version', icon: Save, run: save }] : []),
    ...(deploy ? [{ label: 'Deploy', icon: Rocket, run: deploy }] : []),
    { label: 'Editor', icon: PenLine, run: () => show({}) },
    { label: 'History', icon: History, run: () => show({ view: 'history' }) },
    { label: 'Compare versions', icon: GitCompare, run: () => show({ view: 'history', from: Math.max(1, newest - 1), to: newest }) },
    { label: 'Includes: uses and used by', icon: Link2, run: () => show({ view: 'includes' }) },
    { label: 'Statistics of this prompt', icon: ChartColumn, run: () => show({ view: 'stats' }) },
    { label: 'Use it: code snippets', icon: Code, run: () => show({ view: 'use' }) },
  ]);
}
