import { PromptHarborError } from '../errors.ts';
import type { IncludedPrompt } from '../render/complete-engine.ts';
import type { Version } from '../types.ts';
import { type LoadedRelease, withoutRelease } from './choose-version.ts';
import { importNode } from './import-node.ts';
import type { Selection, Snapshot } from './snapshot.ts';

/** The source of the file. */
export interface FileSource extends Selection {
  baseUrl: string;
  workspace: string | undefined;
}

interface StateFile {
  format: 1;
  source: FileSource;
  savedAt: string;
  prompts: Version[];
  partials: [string, IncludedPrompt][];
  /**
   * The included prompts whose template language is not Liquid. They are not in `partials`, because earlier clients would read them as
   * Liquid.
   */
  foreignPartials?: [string, IncludedPrompt][];
  /** The releases, each with the name of its prompt. Earlier clients ignore releases, and use the control for all callers. */
  releases?: [string, LoadedRelease][];
}

/** The prompts that a file contains. */
export interface StoredState {
  snapshot: Snapshot;
  savedAt: Date;
}

interface FileSystem {
  mkdir(path: string, options: { recursive: true }): Promise<unknown>;
  readFile(path: string, encoding: 'utf8'): Promise<string>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { force: true }): Promise<void>;
  writeFile(path: string, text: string, options: { mode: number; flag: string }): Promise<void>;
}

/** Returns the last good state that this program wrote, or undefined if there is none for this source. */
export async function readFallbackFile(path: string, source: FileSource): Promise<StoredState | undefined> {
  const state = await readText(path).then(parse, () => undefined);
  return state && isSameSelection(state.source, source) && isSameService(state.source, source) ? toStored(state) : undefined;
}

/**
 * Returns the state that was written for this program, or throws an error that says why the file cannot be used. The state may have been
 * fetched from another address of the same service, such as its public address.
 */
export async function readStateFile(path: string, source: FileSource): Promise<StoredState> {
  const state = parse(await readText(path));
  if (!state) throw new PromptHarborError(`${path} is not a state file. Write it with "promptharbor pull --state".`);
  if (!isSameSelection(state.source, source)) {
    throw new PromptHarborError(`${path} has ${describeSelection(state.source)}, but this program loads ${describeSelection(source)}.`);
  }
  const { workspace } = state.source;
  if (workspace !== undefined && source.workspace !== undefined && workspace !== source.workspace) {
    throw new PromptHarborError(`${path} has the prompts of the workspace ${workspace}, but this program uses ${source.workspace}.`);
  }
  return toStored(state);
}

/** Replaces the file atomically, so that a reader never sees a part of it. Only the owner may read it. */
export async function writeFallbackFile(path: string, source: FileSource, snapshot: Snapshot): Promise<void> {
  const fs = await loadFileSystem();
  const folder = path.replace(/[^/\\]*$/, '');
  if (folder !== '') await fs.mkdir(folder, { recursive: true });
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    // The flag wx never follows a link that someone has created there.
    await fs.writeFile(temporary, formatState(source, snapshot, new Date()), { mode: 0o600, flag: 'wx' });
    await fs.rename(temporary, path);
  } catch (err) {
    await fs.rm(temporary, { force: true });
    throw err;
  }
}

/** Returns the text of a file. The file contains the prompts and their source, but no key. */
export function formatState(
  { baseUrl, workspace, label, folder }: FileSource,
  { prompts, releases, partials }: Snapshot,
  savedAt: Date,
): string {
  const isForeign = ([, { syntax }]: [string, IncludedPrompt]) => syntax === 'mustache';
  const foreign = [...partials].filter(isForeign);
  const state: StateFile = {
    format: 1,
    source: { label, folder, baseUrl, workspace },
    savedAt: savedAt.toISOString(),
    prompts: [...prompts.values()],
    partials: [...partials].filter((partial) => !isForeign(partial)),
    ...(foreign.length > 0 && { foreignPartials: foreign }),
    ...(releases.size > 0 && { releases: [...releases] }),
  };
  return `${JSON.stringify(state)}\n`;
}

function toStored({ prompts, releases = [], partials, foreignPartials = [], savedAt }: StateFile): StoredState {
  const snapshot: Snapshot = {
    prompts: new Map(prompts.map((version) => [version.name, withoutRelease(version)])),
    releases: new Map(releases),
    partials: new Map([...partials, ...foreignPartials]),
    // Without an ETag, the next request fetches everything.
    etag: undefined,
  };
  return { snapshot, savedAt: new Date(savedAt) };
}

async function readText(path: string): Promise<string> {
  try {
    return await (await loadFileSystem()).readFile(path, 'utf8');
  } catch (err) {
    throw new PromptHarborError(`Cannot read the state file ${path}: ${err instanceof Error ? err.message : err}`, { cause: err });
  }
}

function parse(text: string): StateFile | undefined {
  try {
    // Only formatState writes this format.
    const state = JSON.parse(text) as Partial<StateFile> | null;
    return isState(state) ? state : undefined;
  } catch {
    return undefined;
  }
}

/** Checks a file that someone may have edited, so that an invalid file fails here and not at a render during an outage. */
function isState(state: Partial<StateFile> | null): state is StateFile {
  if (state?.format !== 1 || !isObject(state.source) || Number.isNaN(Date.parse(String(state.savedAt)))) return false;
  const { prompts, releases = [], partials, foreignPartials = [] } = state;
  return (
    isListOf(prompts, isVersion) && isListOf(releases, isRelease) && [partials, foreignPartials].every((list) => isListOf(list, isPartial))
  );
}

function isVersion(value: unknown): boolean {
  return isObject(value) && typeof value.name === 'string' && isListOf(value.variables, isObject);
}

function isRelease(value: unknown): boolean {
  if (!Array.isArray(value) || typeof value[0] !== 'string' || !isObject(value[1])) return false;
  const { salt, arms, rules, versions } = value[1];
  const isRule = (rule: unknown) => isObject(rule) && isObject(rule.if) && Object.values(rule.if).every(Array.isArray);
  return typeof salt === 'string' && isListOf(arms, isObject) && isListOf(rules, isRule) && isListOf(versions, isVersion);
}

function isPartial(value: unknown): boolean {
  return Array.isArray(value) && typeof value[0] === 'string' && isObject(value[1]);
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSameSelection(a: Selection, b: Selection): boolean {
  return a.label === b.label && a.folder === b.folder;
}

function isSameService(a: FileSource, b: FileSource): boolean {
  return a.workspace === b.workspace && a.baseUrl === b.baseUrl;
}

function describeSelection({ label, folder }: Selection): string {
  return `the prompts at the label "${label}"${folder === undefined ? '' : ` in the folder "${folder}"`}`;
}

async function loadFileSystem(): Promise<FileSystem> {
  return (await importNode('node:fs/promises')) as FileSystem;
}
