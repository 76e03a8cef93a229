import type { LucideIcon } from 'lucide-react';
import { useEffect, useId, useSyncExternalStore } from 'react';

/** An action of the open page, for the command palette. */
export interface PageCommand {
  label: string;
  icon: LucideIcon;
  run: () => unknown;
}

const registered = new Map<string, PageCommand[]>();
const listeners = new Set<() => void>();
let current: PageCommand[] = [];

/** Offers actions in the command palette as long as the component is shown. */
export function usePageCommands(commands: PageCommand[]): void {
  const id = useId();
  // This effect runs after every render, so that the actions see the component's current state.
  useEffect(() => change(id, commands));
  useEffect(() => () => change(id, undefined), [id]);
}

/** Returns the actions of all components that are shown. */
export function useRegisteredCommands(): PageCommand[] {
  return useSyncExternalStore(subscribe, () => current);
}

function change(id: string, commands: PageCommand[] | undefined): void {
  if (commands) registered.set(id, commands);
  else registered.delete(id);
  current = [...registered.values()].flat();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
