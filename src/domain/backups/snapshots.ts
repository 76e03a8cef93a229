import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeFolder } from '../../platform/make-folder.ts';
import { type Repeating, repeat } from '../../platform/scheduling/repeat.ts';
import { snapshotIdName } from '../../store/meta.ts';
import type { Store, WithStore } from '../../store/store.ts';
import { explainWriteError, removeDrafts } from './backup-files.ts';
import type { BackupReport, Backups } from './backups.ts';

interface SnapshotSettings {
  dir: string;
  everyMs: number;
  keep: number;
}

interface SnapshotListeners {
  onMade(report: BackupReport): void;
  onError(err: unknown): void;
}

const checkEveryMs = 10_000;
const maxRetryMs = 5 * 60_000;

/** Makes a snapshot whenever the newest snapshot is old enough, and deletes the service's oldest snapshots. Retries soon after an error. */
export function startSnapshots(
  { store, backups }: WithStore & { backups: Backups },
  { dir, everyMs, keep }: SnapshotSettings,
  { onMade, onError }: SnapshotListeners,
): Repeating {
  let retryAt = 0;

  async function makeIfDue(signal: AbortSignal): Promise<void> {
    if (Date.now() < retryAt) return;
    try {
      const folder = await prepare();
      if (!folder) return;
      const made = await makeSnapshot(backups, folder, signal);
      backups.metrics.isFailing = false;
      onMade(made);
      await deleteOld(folder, { keep, made: basename(made.file) });
    } catch (err) {
      if (signal.aborted) return;
      backups.metrics.isFailing = true;
      retryAt = Date.now() + Math.min(everyMs, maxRetryMs);
      throw err;
    }
  }

  /** Opens the folder if a snapshot is due. If the folder cannot be used, the attempt counts as a failed backup. */
  async function prepare(): Promise<SnapshotFolder | undefined> {
    try {
      const folder = await openFolder(store, dir);
      await removeLeftDrafts(folder);
      return (await isDue(folder, everyMs)) ? folder : undefined;
    } catch (err) {
      backups.metrics.failures += 1;
      throw explainWriteError(err, join(dir, 'snapshot'));
    }
  }

  return repeat(makeIfDue, { intervalMs: checkEveryMs, atOnce: true, onError });
}

/** The folder of snapshots, and the prefix of the names of this service's snapshots. Another service may use the same folder. */
type SnapshotFolder = Awaited<ReturnType<typeof openFolder>>;

async function openFolder(store: Store, dir: string) {
  await store.meta.insertOnce(snapshotIdName, randomBytes(4).toString('hex'));
  const prefix = `promptharbor-${await store.meta.find(snapshotIdName)}-`;
  makeFolder(dir);
  return { dir, prefix };
}

async function makeSnapshot(backups: Backups, { dir, prefix }: SnapshotFolder, signal: AbortSignal): Promise<BackupReport> {
  const file = join(dir, `${prefix}${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}.db`);
  return backups.make({ file, force: false }, signal);
}

async function isDue(folder: SnapshotFolder, everyMs: number): Promise<boolean> {
  // Ignores snapshots with a time in the future, which were made while the clock was wrong. They must not delay the next snapshot.
  const ages = (await listSnapshots(folder)).map(({ at }) => Date.now() - at.getTime()).filter((age) => age >= 0);
  return ages.length === 0 || Math.min(...ages) >= everyMs;
}

/** Deletes old snapshots. The snapshot that was just made is always kept, even if the names of other snapshots contain later times. */
async function deleteOld(folder: SnapshotFolder, { keep, made }: { keep: number; made: string }): Promise<void> {
  const others = (await listSnapshots(folder)).filter(({ name }) => name !== made).reverse();
  for (const { name } of others.slice(keep - 1)) await rm(join(folder.dir, name), { force: true });
}

/** Removes unfinished snapshots of a killed process. */
async function removeLeftDrafts({ dir, prefix }: SnapshotFolder): Promise<void> {
  const names = (await readdir(dir)).filter((name) => name.startsWith(`.${prefix}`));
  for (const name of names) await removeDrafts(join(dir, name.slice(1, name.indexOf('.db') + '.db'.length)));
}

/** Lists this service's snapshots, oldest first. Symbolic links and files with other names are ignored. */
async function listSnapshots({ dir, prefix }: SnapshotFolder): Promise<{ name: string; at: Date }[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.startsWith(prefix))
    .map(({ name }) => ({ name, at: parseTime(name.slice(prefix.length)) }))
    .filter((snapshot): snapshot is { name: string; at: Date } => snapshot.at !== undefined)
    .sort((one, other) => one.at.getTime() - other.at.getTime());
}

/** Lists the snapshots in a folder, including those of other services. */
export function listSnapshotFiles(dir: string): string[] {
  const entries = existsSync(dir) ? readdirSync(dir, { withFileTypes: true }) : [];
  const isSnapshot = (name: string) => /^promptharbor-[0-9a-f]{8}-\d{8}T\d{6}Z\.db$/.test(name);
  return entries.filter((entry) => entry.isFile() && isSnapshot(entry.name)).map(({ name }) => join(dir, name));
}

function parseTime(text: string): Date | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second] = match;
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at.getTime()) ? undefined : at;
}
