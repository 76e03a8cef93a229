import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { StartError } from '../../errors.ts';
import { makeFolder } from '../../platform/make-folder.ts';
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

interface Snapshots {
  /** Gives up the snapshot that is being made, and resolves when nothing is left of it. */
  stop(): Promise<void>;
}

const maxRetryMs = 5 * 60_000;
/** Timers cannot be set for as long as a month. */
const maxTimerMs = 60 * 60_000;

/** Makes a snapshot whenever the newest one is old enough, and deletes all of its own but the newest. After an error it tries again soon. */
export function startSnapshots(
  { store, backups }: WithStore & { backups: Backups },
  settings: SnapshotSettings,
  { onMade, onError }: SnapshotListeners,
): Snapshots {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const retryMs = Math.min(settings.everyMs, maxRetryMs);

  const schedule = (delayMs: number) => {
    const next = () => {
      running = run();
    };
    if (!stopping.signal.aborted) timer = setTimeout(next, Math.min(delayMs, maxTimerMs));
  };

  async function run(): Promise<void> {
    try {
      const { folder, dueMs } = await prepare();
      if (dueMs > 0) return schedule(dueMs);
      const made = await makeSnapshot(backups, folder, stopping.signal);
      backups.metrics.isFailing = false;
      onMade(made);
      await deleteOld(folder, { keep: settings.keep, made: basename(made.file) });
      schedule(settings.everyMs);
    } catch (err) {
      if (!stopping.signal.aborted) {
        backups.metrics.isFailing = true;
        onError(err);
      }
      schedule(retryMs);
    }
  }

  /** Opens the folder. If it cannot be used, this counts as a backup that failed. */
  async function prepare(): Promise<{ folder: SnapshotFolder; dueMs: number }> {
    try {
      const folder = await openFolder(store, settings.dir);
      await removeLeftDrafts(folder);
      return { folder, dueMs: await findDue(folder, settings.everyMs) };
    } catch (err) {
      backups.metrics.failures += 1;
      throw explainWriteError(err, join(settings.dir, 'snapshot'));
    }
  }

  running = run();
  return {
    async stop() {
      clearTimeout(timer);
      stopping.abort(new StartError('The backup was given up, because the service stops.'));
      await running;
    },
  };
}

/** The folder of snapshots, and what the names of our own begin with. Another service may use the same folder. */
interface SnapshotFolder {
  dir: string;
  prefix: string;
}

async function openFolder(store: Store, dir: string): Promise<SnapshotFolder> {
  await store.meta.insertOnce(snapshotIdName, randomBytes(4).toString('hex'));
  const prefix = `promptharbor-${await store.meta.find(snapshotIdName)}-`;
  makeFolder(dir);
  return { dir, prefix };
}

async function makeSnapshot(backups: Backups, { dir, prefix }: SnapshotFolder, signal: AbortSignal): Promise<BackupReport> {
  const file = join(dir, `${prefix}${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}.db`);
  return backups.make({ file, force: false }, signal);
}

/** How long the newest snapshot is still new enough. */
async function findDue(folder: SnapshotFolder, everyMs: number): Promise<number> {
  // Not those from a time when the clock was wrong: they must not put off the next one.
  const ages = (await listSnapshots(folder)).map(({ at }) => Date.now() - at.getTime()).filter((age) => age >= 0);
  return ages.length === 0 ? 0 : everyMs - Math.min(...ages);
}

/** Keeps the one that was just made, whatever time the others claim to be from. */
async function deleteOld(folder: SnapshotFolder, { keep, made }: { keep: number; made: string }): Promise<void> {
  const others = (await listSnapshots(folder)).filter(({ name }) => name !== made).reverse();
  for (const { name } of others.slice(keep - 1)) await rm(join(folder.dir, name), { force: true });
}

/** Removes the snapshots that a killed process was making. */
async function removeLeftDrafts({ dir, prefix }: SnapshotFolder): Promise<void> {
  const names = (await readdir(dir)).filter((name) => name.startsWith(`.${prefix}`));
  for (const name of names) await removeDrafts(join(dir, name.slice(1, name.indexOf('.db') + '.db'.length)));
}

/** Our own, oldest first. Symbolic links and anything with another name are not ours. */
async function listSnapshots({ dir, prefix }: SnapshotFolder): Promise<{ name: string; at: Date }[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.startsWith(prefix))
    .map(({ name }) => ({ name, at: parseTime(name.slice(prefix.length)) }))
    .filter((snapshot): snapshot is { name: string; at: Date } => snapshot.at !== undefined)
    .sort((one, other) => one.at.getTime() - other.at.getTime());
}

function parseTime(text: string): Date | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second] = match;
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at.getTime()) ? undefined : at;
}
