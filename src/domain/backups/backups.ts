import { performance } from 'node:perf_hooks';
import { StartError } from '../../errors.ts';
import { lastBackupName } from '../../store/meta.ts';
import type { BackupContent, Store } from '../../store/store.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { assertFits } from '../secrets/master-secret.ts';
import { assertTarget, type BackupTarget, explainWriteError, nameDraft, publishDraft, removeDrafts } from './backup-files.ts';

export interface WithBackups {
  /** The backups of the embedded database. Undefined with PostgreSQL, which has its own tools. */
  backups: Backups | undefined;
}

export interface BackupReport extends BackupContent {
  file: string;
  durationMs: number;
}

export type Backups = NonNullable<Awaited<ReturnType<typeof createBackups>>>;

/** Makes copies of the embedded database while it is in use. Returns undefined if the database is not embedded. */
export async function createBackups(
  store: Store,
  { keyring, dataDir, everyMs }: { keyring: Keyring; dataDir: string; everyMs?: number | undefined },
) {
  if (!store.backUp) return undefined;
  const { backUp } = store;
  const lastAt = await store.meta.find(lastBackupName);
  /** `isFailing` means that the service's last scheduled attempt failed. */
  const metrics = { lastAt: lastAt === undefined ? undefined : new Date(lastAt), failures: 0, isFailing: false };
  const stopping = new AbortController();
  let running: Promise<BackupReport> | undefined;

  async function copy({ file, force }: BackupTarget, signal: AbortSignal): Promise<BackupReport> {
    const startedAt = new Date();
    const start = performance.now();
    await assertTarget({ file, force, dataDir });
    await removeDrafts(file);
    const draft = nameDraft(file);
    try {
      const content = await backUp({
        draft,
        signal,
        async publish({ canary }) {
          assertFits(keyring, canary);
          await publishDraft({ draft, file, force });
        },
      });
      metrics.lastAt = startedAt;
      // A failure is ignored: the backup succeeded, even if the disk of the database is too full to record it.
      await store.meta.put(lastBackupName, startedAt.toISOString()).catch(() => undefined);
      return { ...content, file, durationMs: performance.now() - start };
    } catch (err) {
      await removeDrafts(file);
      throw explainWriteError(err, file);
    }
  }

  return {
    metrics,
    /** The interval at which the service makes snapshots. */
    everyMs,

    /** Makes and verifies a backup. A failed backup leaves no files behind. Only one backup runs at a time. */
    async make(target: BackupTarget, signal?: AbortSignal): Promise<BackupReport> {
      if (running) throw new StartError('Another backup is in progress. Try again when it is finished.');
      const givenUp = AbortSignal.any([stopping.signal, ...(signal ? [signal] : [])]);
      running = copy(target, givenUp);
      try {
        return await running;
      } catch (err) {
        if (!givenUp.aborted) metrics.failures += 1;
        throw err;
      } finally {
        running = undefined;
      }
    },

    /** Cancels the running backup. Resolves when its files are removed. */
    async stop(): Promise<void> {
      stopping.abort(new StartError('The backup was canceled because the service is stopping.'));
      await running?.catch(() => undefined);
    },
  };
}
