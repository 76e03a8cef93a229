import { CliError } from '../errors.ts';
import { findText, writeFileWhole } from './text-file.ts';

/** The last state that a file and the service had in common. */
export interface LockEntry {
  version: number;
  digest: string;
}

export interface Lock {
  /** The workspace to which the versions belong, or undefined if there is no lock file yet. */
  workspace: string | undefined;
  prompts: Map<string, LockEntry>;
}

const lockVersion = 1;

export async function readLock(file: string): Promise<Lock> {
  const text = await findText(file);
  if (text === undefined) return { workspace: undefined, prompts: new Map() };
  const lock = parseLock(text);
  if (!lock) {
    throw new CliError(
      `${file} cannot be read, perhaps because of a merge conflict. Keep either side, or delete the file. If you delete it, files that differ from the service count as conflicts.`,
    );
  }
  return lock;
}

/**
 * Writes one line for each prompt, in sorted order, so that version control can merge the file. The file is not touched if nothing has
 * changed.
 */
export async function writeLock(file: string, lock: Lock): Promise<void> {
  const entries = [...lock.prompts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { version, digest }]) => `    ${JSON.stringify(name)}: { "version": ${version}, "digest": ${JSON.stringify(digest)} }`);
  const prompts = entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n  }`;
  const text = `{\n  "lockVersion": ${lockVersion},\n  "workspace": ${JSON.stringify(lock.workspace ?? null)},\n  "prompts": ${prompts}\n}\n`;
  if ((await findText(file)) !== text) await writeFileWhole(file, text);
}

function parseLock(text: string): Lock | undefined {
  try {
    // The fields are checked one by one below.
    const lock = JSON.parse(text) as { lockVersion?: unknown; workspace?: unknown; prompts?: unknown };
    if (lock.lockVersion !== lockVersion || typeof lock.prompts !== 'object' || lock.prompts === null) return undefined;
    const prompts = Object.entries(lock.prompts as Record<string, Partial<LockEntry> | null>).map(([name, entry]): [string, LockEntry] => {
      const { version, digest } = entry ?? {};
      if (typeof version !== 'number' || typeof digest !== 'string') throw new Error(name);
      return [name, { version, digest }];
    });
    return { workspace: typeof lock.workspace === 'string' ? lock.workspace : undefined, prompts: new Map(prompts) };
  } catch {
    return undefined;
  }
}
