import { useNavigate } from '@tanstack/react-router';
import {
  ChartColumn,
  Code,
  Columns2,
  Gauge,
  GitCompare,
  History,
  Link2,
  ListChecks,
  ListVideo,
  PenLine,
  Play,
  Rocket,
  Save,
  Split,
} from 'lucide-react';
import type { Prompt } from '../lib/types.ts';
import { usePageCommands } from '../shell/page-commands.ts';

interface PromptCommands {
  prompt: Prompt;
  /** Saves a version. Undefined if there is nothing to save, or if the user may not save. */
  save: (() => void) | undefined;
  /** Runs the draft on a model. Undefined if the user may not run drafts. */
  run: (() => void) | undefined;
  deploy: (() => void) | undefined;
}

/** Offers the actions and views of a prompt in the command palette. */
export function usePromptCommands({ prompt, save, run, deploy }: PromptCommands): void {
  const navigate = useNavigate();
  const show = (search: {
    view?: 'runs' | 'compare' | 'history' | 'releases' | 'checks' | 'dependencies' | 'code' | 'results' | 'stats';
    from?: number;
    to?: number;
  }) => navigate({ to: '/dashboard/prompts/$', params: { _splat: prompt.name }, search });
  const newest = prompt.latestVersion;
  usePageCommands([
    ...(save ? [{ label: 'Save version', icon: Save, run: save }] : []),
    ...(deploy ? [{ label: 'Deploy', icon: Rocket, run: deploy }] : []),
    ...(run ? [{ label: 'Run', icon: Play, run }] : []),
    ...(run ? [{ label: 'Compare runs: versions, models, parameters', icon: Columns2, run: () => show({ view: 'compare' }) }] : []),
    { label: 'Editor', icon: PenLine, run: () => show({}) },
    { label: 'Runs', icon: ListVideo, run: () => show({ view: 'runs' }) },
    { label: 'History', icon: History, run: () => show({ view: 'history' }) },
    { label: 'Compare versions', icon: GitCompare, run: () => show({ view: 'history', from: Math.max(1, newest - 1), to: newest }) },
    { label: 'Releases: versions for some callers', icon: Split, run: () => show({ view: 'releases' }) },
    { label: 'Checks: test cases and results', icon: ListChecks, run: () => show({ view: 'checks' }) },
    { label: 'Dependencies: included prompts and dependents', icon: Link2, run: () => show({ view: 'dependencies' }) },
    { label: 'Results: calls, errors, cost and scores by version', icon: Gauge, run: () => show({ view: 'results' }) },
    { label: 'Statistics of this prompt', icon: ChartColumn, run: () => show({ view: 'stats' }) },
    { label: 'Code snippets', icon: Code, run: () => show({ view: 'code' }) },
  ]);
}
