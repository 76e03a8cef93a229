import { loadConfig } from '../../config.ts';
import type { Context } from '../../domain/context.ts';
import { checkSecret } from '../../domain/secrets/master-secret.ts';
import { canaryName } from '../../store/meta.ts';
import { version } from '../../version.ts';
import type { Options } from '../command.ts';
import type { TaskOutput } from './task.ts';

/** The state that a running service reports to `doctor`. The service also reports one line about its database. */
export interface ServiceState {
  /** The encrypted text with which `doctor` detects that the secret in its own environment is wrong. */
  canary: string | undefined;
  backups: BackupState;
}

/** The state of backups that `doctor` reports. */
export interface BackupState {
  /** The value of BACKUP_DIR. */
  dir: string | undefined;
  /** The time at which the last successful backup was started. */
  lastAt: string | undefined;
  /** The value of BACKUP_EVERY. Undefined if the service makes no snapshots. */
  everyMs: number | undefined;
  /** The number of failed backups since the service started. */
  failures: number;
  /** Whether backups currently fail. */
  isFailing: boolean;
}

/** Prints one line about the database of the service, and its state as JSON. */
export async function describeService({ store, backups }: Context, _input: Options, { print }: TaskOutput): Promise<void> {
  const { secretKey, secretKeyPrevious, dataDir, backupDir } = loadConfig();
  const canary = await store.meta.find(canaryName);
  checkSecret(canary, { secretKey, secretKeyPrevious, dataDir });
  await print(`in use by a running service (PromptHarbor ${version}), the secret is correct, accounts: ${await store.accounts.count()}`);
  const { lastAt, failures = 0, isFailing = false } = backups?.metrics ?? {};
  const state: ServiceState = {
    canary,
    backups: { dir: backupDir, lastAt: lastAt?.toISOString(), everyMs: backups?.everyMs, failures, isFailing },
  };
  await print(JSON.stringify(state));
}

/** Throws if a backup is overdue. */
export function describeBackups({ lastAt, everyMs, failures, isFailing }: Omit<BackupState, 'dir'>): string {
  const ageMs = lastAt === undefined ? undefined : Date.now() - Date.parse(lastAt);
  const last = ageMs === undefined ? 'no backup has been made yet' : `the last backup was made ${formatAge(ageMs)} ago, at ${lastAt}`;
  const isOverdue = ageMs === undefined ? failures > 0 : ageMs > 2 * (everyMs ?? Infinity);
  if (everyMs !== undefined && isOverdue) {
    throw new Error(
      `${last}, although BACKUP_EVERY is ${formatAge(everyMs)}. For the reason, search the log for "making a backup failed".`,
    );
  }
  if (isFailing)
    throw new Error(`${last}, but the service can no longer make backups. For the reason, search the log for "making a backup failed".`);
  return ageMs === undefined && everyMs === undefined ? `${last}; make one with promptharbor backup, or set BACKUP_DIR` : last;
}

function formatAge(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60 / 24)} days`;
}
