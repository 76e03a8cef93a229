import type { Version } from '../types.ts';
import { importNode } from './import-node.ts';
import type { Selection, Snapshot } from './snapshot.ts';

/** The source of the file. A file is used only if its source is the same. */
export interface FileSource extends Selection {
  baseUrl: string;
  workspace: string | undefined;
}

interface StateFile {
  format: 1;
  source: FileSource;
  savedAt: string;
  prompts: Version[];
  partials: [string, Snapshot['partials'] extends ReadonlyMap<string, infer P> ? P : never][];
}

interface FileSystem {
  mkdir(path: string, options: { recursive: true }): Promise<unknown>;
  readFile(path: string, encoding: 'utf8'): Promise<string>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { force: true }): Promise<void>;
  writeFile(path: string, text: string, options: { mode: number; flag: string }): Promise<void>;
}

/** Returns the last good state, or undefined if no state is stored for this source. */
export async function readStateFile(path: string, source: FileSource): Promise<{ snapshot: Snapshot; savedAt: Date } | undefined> {
  let text: string;
  try {
    text = await (await loadFileSystem()).readFile(path, 'utf8');
  } catch {
    return undefined;
  }
  const state = parse(text);
  if (!state || !isSameSource(state.source, source)) return undefined;
  const prompts = new Map(state.prompts.map((version) => [version.name, version]));
  // Omits the ETag, so that the next request fetches everything.
  return { snapshot: { prompts, partials: new Map(state.partials), etag: undefined }, savedAt: new Date(state.savedAt) };
}

/** Replaces the file atomically, so that a reader never sees an incomplete file. Only the owner may read the file. */
export async function writeStateFile(path: string, source: FileSource, { prompts, partials }: Snapshot): Promise<void> {
  const fs = await loadFileSystem();
  const state: StateFile = {
    format: 1,
    source,
    savedAt: new Date().toISOString(),
    prompts: [...prompts.values()],
    partials: [...partials],
  };
  const folder = path.replace(/[^/\\]*$/, '');
  if (folder !== '') await fs.mkdir(folder, { recursive: true });
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    // The flag wx lets the write fail if somebody created a link with this name, instead of following the link.
    await fs.writeFile(temporary, `${JSON.stringify(state)}\n`, { mode: 0o600, flag: 'wx' });
    await fs.rename(temporary, path);
  } catch (err) {
    await fs.rm(temporary, { force: true });
    throw err;
  }
}

function parse(text: string): StateFile | undefined {
  try {
    // Only writeStateFile writes this format.
    const state = JSON.parse(text) as Partial<StateFile> | null;
    return state?.format === 1 && state.source && Array.isArray(state.prompts) && Array.isArray(state.partials)
      ? (state as StateFile)
      : undefined;
  } catch {
    return undefined;
  }
}

function isSameSource(a: FileSource, b: FileSource): boolean {
  return a.label === b.label && a.folder === b.folder && a.workspace === b.workspace && a.baseUrl === b.baseUrl;
}

async function loadFileSystem(): Promise<FileSystem> {
  return (await importNode('node:fs/promises')) as FileSystem;
}
