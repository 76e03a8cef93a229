import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from './storage.ts';

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const key = 'promptharbor:theme';
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

export function setTheme(theme: Theme): void {
  writeStored(key, theme === 'system' ? undefined : theme);
  applyTheme();
}

/** Applies the theme now and whenever the setting (in any tab) or the system theme changes. */
export function watchTheme(): void {
  applyTheme();
  systemIsDark.addEventListener('change', applyTheme);
  addEventListener('storage', (event) => event.key === key && applyTheme());
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, getTheme);
}

function applyTheme(): void {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
  for (const listener of listeners) listener();
}

function getTheme(): Theme {
  const stored = readStored(key);
  return themes.find((theme) => theme === stored) ?? 'system';
}

function isDark(): boolean {
  const theme = getTheme();
  return theme === 'dark' || (theme === 'system' && systemIsDark.matches);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
