import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { PromptFilters } from './filter-search.ts';
import { buildFolders, toTreeRows } from './folder-tree.ts';
import { foldersQuery, loadedFoldersQuery } from './large-queries.ts';
import type { OpenFolders } from './use-open-folders.ts';

/** The maximum number of folders whose prompts are loaded at the same time. The folders that were loaded last stay loaded. */
const maxLoadedFolders = 200;

/** Returns the rows of a large workspace: all folders, and the prompts of each open folder that has come into view. */
export function useFolderRows(filters: PromptFilters, { enabled, folders }: { enabled: boolean; folders: OpenFolders }) {
  const { folder: root = '', sort } = filters;
  const list = useQuery({ ...foldersQuery, enabled });
  const isDescending = sort === '-name';
  const [wanted, setWanted] = useState<ReadonlyMap<string, number>>(new Map());
  const pages = useQuery({
    ...loadedFoldersQuery([...wanted], isDescending),
    enabled: enabled && wanted.size > 0,
    placeholderData: keepPreviousData,
  });
  const { isOpen } = folders;
  const rows = useMemo(() => {
    const tree = buildFolders(list.data?.data ?? [], (path) => pages.data?.get(path) ?? [], root);
    return toTreeRows(tree, { isOpen, isDescending });
  }, [list.data, pages.data, root, isOpen, isDescending]);
  const failed = pages.isError ? pages : list;
  return {
    rows,
    isPending: list.isPending,
    error: failed.error,
    refetch: failed.refetch,
    count: list.data?.data.reduce((sum, { path, prompts }) => (isInside(path, root) ? sum + prompts : sum), 0),
    /** Whether to show the list without folders, because there are no subfolders here, or too many. */
    isFlat: list.data !== undefined && (!list.data.complete || !list.data.data.some(({ path }) => path !== root && isInside(path, root))),
    loadFolder: (path: string) => {
      const count = wanted.get(path) ?? 0;
      const others = [...wanted].filter(([other]) => other !== path);
      setWanted(new Map([...others, [path, count + 1] as const].slice(-maxLoadedFolders)));
    },
  };
}

function isInside(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}
