import type { Prompt } from '../lib/types.ts';
import type { Row } from './folder-tree.ts';
import type { OpenFolders } from './use-open-folders.ts';

/** The rows of the list, with the state of the list. */
export interface PromptRows {
  rows: Row[];
  isPending: boolean;
  /** Whether the rows still match the previous filters, because the server has not responded yet. */
  isOutdated: boolean;
  error: unknown;
  retry: () => void;
  /** Whether the workspace has no prompt at all. */
  isEmpty: boolean;
  /** Whether the workspace has more prompts than are loaded at once. */
  isLarge: boolean;
  /** The number of matching prompts. Undefined until the number is known. */
  count: number | undefined;
  /** All matching prompts, including prompts in closed folders. Undefined if not all are loaded. */
  all: Prompt[] | undefined;
  folders: OpenFolders;
  tags: string[];
  labels: string[];
  authors: Author[];
  /** Loads the next page, unless all pages are loaded. */
  loadMore: () => void;
  /** Loads the next prompts of a folder. */
  loadFolder: (path: string) => void;
  isLoadingMore: boolean;
}

export interface Author {
  userId: string;
  name: string;
}
