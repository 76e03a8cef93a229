import type { Context } from '../../domain/context.ts';
import { version } from '../../version.ts';
import type { TaskInput, TaskOutput } from './task.ts';

/** What `doctor` learns from a running service: one line about its database, one about its backups. */
export async function describeService({ store, backups }: Context, _input: TaskInput, { print }: TaskOutput): Promise<void> {
  await print(`in use by a running PromptHarbor ${version}, the secret is correct, accounts: ${await store.accounts.count()}`);
  await print(describeLastBackup(backups?.metrics.lastAt));
}

export function describeLastBackup(lastAt: Date | undefined): string {
  if (lastAt === undefined) return 'none was made yet; make one with promptharbor backup, or set BACKUP_DIR';
  return `the last one was made ${formatAge(Date.now() - lastAt.getTime())} ago, at ${lastAt.toISOString()}`;
}

function formatAge(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60 / 24)} days`;
}
