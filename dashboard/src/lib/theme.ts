import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from './storage.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'promptharbor:theme';
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

export function getTheme(): Theme {
  const stored = readStored(key);
  return themes.find((theme) => theme === stored) ?? 'system';
}

export function setTheme(theme: Theme): void {
  writeStored(key, theme === 'system' ? undefined : theme);
  applyTheme();
}

/** Puts the theme on the page. Called once at start, then whenever the choice or the system changes, in any tab. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
  for (const listener of listeners) listener();
}

export function watchTheme(): void {
  applyTheme();
  systemIsDark.addEventListener('change', applyTheme);
  addEventListener('storage', (event) => event.key === key && applyTheme());
}

export function useTheme(): { theme: Theme; dark: boolean } {
  const snapshot = useSyncExternalStore(subscribe, () => `${getTheme()} ${isDark()}`);
  return { theme: getTheme(), dark: snapshot.endsWith('true') };
}

function isDark(): boolean {
  const theme = getTheme();
  return theme === 'dark' || (theme === 'system' && systemIsDark.matches);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
