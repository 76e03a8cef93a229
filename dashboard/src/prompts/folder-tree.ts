import type { Prompt } from '../lib/types.ts';
import { compareNames } from './filters.ts';

/** A row of the list. `depth` is the number of folder rows that contain the row. */
export type Row = FolderRow | PromptRow | MoreRow;

export interface FolderRow {
  kind: 'folder';
  path: string;
  name: string;
  depth: number;
  /** The number of prompts in the folder and its subfolders. */
  count: number;
  isOpen: boolean;
}

export interface PromptRow {
  kind: 'prompt';
  prompt: Prompt;
  depth: number;
  /** Whether the row is in the tree. In the tree, the folder is a row above this one, and is not repeated in the name. */
  isInTree: boolean;
}

/** Stands for the prompts of a folder that are not loaded yet. */
export interface MoreRow {
  kind: 'more';
  path: string;
  depth: number;
  /** The number of prompts that are not loaded yet. */
  remaining: number;
  /** Whether none of the folder's own prompts is loaded yet. */
  isFirst: boolean;
}

/** A folder with the prompts that are directly in it. Some of these prompts may not be loaded. */
export interface FolderNode {
  path: string;
  name: string;
  prompts: Prompt[];
  remaining: number;
  children: Map<string, FolderNode>;
}

/** Returns the tree below a folder, or the whole tree. The prompts must be sorted. */
export function buildTree(prompts: Prompt[], root = ''): FolderNode {
  const tree = createNode(root);
  for (const prompt of prompts) getNode(tree, prompt.name.slice(0, Math.max(0, prompt.name.lastIndexOf('/')))).prompts.push(prompt);
  return tree;
}

/** Returns the tree of the folders in a large workspace, in which the prompts of each folder are loaded separately. */
export function buildFolders(folders: { path: string; prompts: number }[], loaded: (path: string) => Prompt[], root = ''): FolderNode {
  const tree = createNode(root);
  for (const { path, prompts: count } of folders) {
    if (path !== root && !path.startsWith(root && `${root}/`)) continue;
    const node = getNode(tree, path);
    node.prompts = loaded(path);
    node.remaining = Math.max(0, count - node.prompts.length);
  }
  return tree;
}

/**
 * Returns the rows of a tree. The prompts directly in a folder come before its subfolders, so that no prompt follows the content of a
 * subfolder that it is not in.
 */
export function toTreeRows(
  tree: FolderNode,
  { isOpen, isDescending = false }: { isOpen: (path: string) => boolean; isDescending?: boolean },
): Row[] {
  const rows: Row[] = [];
  const sign = isDescending ? -1 : 1;
  const add = (node: FolderNode, depth: number) => {
    for (const prompt of node.prompts) rows.push({ kind: 'prompt', prompt, depth, isInTree: true });
    if (node.remaining > 0) {
      rows.push({ kind: 'more', path: node.path, depth, remaining: node.remaining, isFirst: node.prompts.length === 0 });
    }
    for (const child of [...node.children.values()].sort((a, b) => sign * compareNames(a.name, b.name))) {
      const open = isOpen(child.path);
      rows.push({ kind: 'folder', path: child.path, name: child.name, depth, count: countPrompts(child), isOpen: open });
      if (open) add(child, depth + 1);
    }
  };
  add(tree, 0);
  return rows;
}

/** Returns the rows of a list without folders. */
export function toFlatRows(prompts: Prompt[]): Row[] {
  return prompts.map((prompt) => ({ kind: 'prompt', prompt, depth: 0, isInTree: false }));
}

export function promptsOf(rows: Row[]): Prompt[] {
  return rows.flatMap((row) => (row.kind === 'prompt' ? [row.prompt] : []));
}

/** Returns the position of the folder that contains a row, or undefined at the top. */
export function findParent(rows: Row[], index: number): number | undefined {
  const depth = rows[index]?.depth ?? 0;
  const parent = rows.findLastIndex((row, position) => position < index && row.kind === 'folder' && row.depth < depth);
  return parent === -1 ? undefined : parent;
}

function createNode(path: string): FolderNode {
  return { path, name: path.slice(path.lastIndexOf('/') + 1), prompts: [], remaining: 0, children: new Map() };
}

/** Returns the node of a folder below the root of the tree, and adds all missing nodes in between. */
function getNode(tree: FolderNode, path: string): FolderNode {
  const rest = tree.path === '' ? path : path.slice(tree.path.length + 1);
  let node = tree;
  for (const name of rest === '' ? [] : rest.split('/')) {
    const child = node.children.get(name) ?? createNode(node.path === '' ? name : `${node.path}/${name}`);
    node.children.set(name, child);
    node = child;
  }
  return node;
}

function countPrompts(node: FolderNode): number {
  return [...node.children.values()].reduce((sum, child) => sum + countPrompts(child), node.prompts.length + node.remaining);
}
