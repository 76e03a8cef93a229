import { useCallback, useMemo, useState } from 'react';
import { useCurrentWorkspaceId } from '../lib/current-workspace.ts';
import { readStored, writeStored } from '../lib/storage.ts';

/** The state of the folders: all of them or none of them are open, with exceptions. */
interface State {
  isOpen: boolean;
  except: string[];
}

export interface OpenFolders {
  isOpen: (path: string) => boolean;
  toggle: (path: string) => void;
  setAll: (isOpen: boolean) => void;
}

const allOpen: State = { isOpen: true, except: [] };
const allClosed: State = { isOpen: false, except: [] };

/** The number of exceptions that are remembered. The oldest exceptions are forgotten. */
const maxExceptions = 1000;

/** Returns which folders of the workspace are open. The browser stores this state. */
export function useOpenFolders(isOpenByDefault: boolean): OpenFolders {
  const key = `promptharbor:folders:${useCurrentWorkspaceId() ?? 'own'}`;
  // The stored state is read again when the workspace changes.
  const stored = useMemo(() => parse(readStored(key)), [key]);
  const [changed, setChanged] = useState<{ key: string; state: State }>();
  const state = (changed?.key === key ? changed.state : stored) ?? (isOpenByDefault ? allOpen : allClosed);
  const except = useMemo(() => new Set(state.except), [state.except]);
  const isOpen = useCallback((path: string) => state.isOpen !== except.has(path), [state.isOpen, except]);
  const change = (next: State) => {
    setChanged({ key, state: next });
    writeStored(key, JSON.stringify(next));
  };
  return {
    isOpen,
    toggle: (path) => {
      const others = state.except.filter((each) => each !== path);
      change({ ...state, except: except.has(path) ? others : [...others, path].slice(-maxExceptions) });
    },
    setAll: (isOpen) => change({ isOpen, except: [] }),
  };
}

/** Checks the stored text, because users can change what the browser stores. */
function parse(text: string | undefined): State | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    if (typeof value !== 'object' || value === null || !('isOpen' in value) || !('except' in value)) return undefined;
    if (typeof value.isOpen !== 'boolean' || !Array.isArray(value.except)) return undefined;
    return { isOpen: value.isOpen, except: value.except.filter((path) => typeof path === 'string') };
  } catch {
    return undefined;
  }
}
