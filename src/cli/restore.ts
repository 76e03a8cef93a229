import { existsSync, lstatSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pino } from 'pino';
import { type Config, loadConfig } from '../config.ts';
import { replaceAllKeys, replaceKey } from '../domain/accounts/keys.ts';
import { syncFolder } from '../domain/backups/backup-files.ts';
import type { Context } from '../domain/context.ts';
import { checkSecret } from '../domain/secrets/master-secret.ts';
import { StartError } from '../errors.ts';
import { closeContext, openContext } from '../service.ts';
import {
  type BackupDifferences,
  endRestoredAccess,
  lockReplaced,
  type ReplacedDatabase,
  type StagedBackup,
  sealStaged,
  stageBackup,
} from '../store/restore.ts';
import { hasEmbeddedDatabase } from '../store/store.ts';
import { hasOption, type Input } from './command.ts';
import { CliError, exitCodes, messageOf, UsageError } from './errors.ts';
import { assertNotServed } from './operator/client.ts';
import { whereNewKeysAre } from './operator/reset-keys.ts';
import { askOnce } from './questions.ts';
import { describeDifferences, hasLosses } from './restore-differences.ts';
import { count, print } from './terminal.ts';

type KeyChoice = 'reset changed' | 'reset all' | 'accept' | 'ask';
type Decision = Exclude<KeyChoice, 'ask'>;

/** Replaces the embedded database with a backup. The current database does not change until the last step. */
export async function restoreCommand(input: Input): Promise<void> {
  const config = loadConfig();
  const backup = resolve(input.args[0] ?? '');
  const choice = readChoice(input);
  assertRestorable(config, backup);
  await assertNotServed(config.dataDir);
  try {
    using opened = new DisposableStack();
    if (!existsSync(config.dataDir)) opened.defer(() => removeUnused(config.dataDir));
    // Ctrl+C at the question must not leave files behind.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, (_signal: NodeJS.Signals, number: number) => {
        opened.dispose();
        process.exit(128 + number);
      });
    }
    const replaced = opened.adopt(lockReplaced(config.dataDir), ({ close }) => close());
    const staged = opened.adopt(stageBackup(backup, config.dataDir), ({ folder }) => rmSync(folder, { recursive: true, force: true }));
    await restore({ config, staged, replaced, choice });
  } catch (err) {
    throw explainFailure(err, config.dataDir);
  }
}

/** Explains what the operator can do about a full disk. */
function explainFailure(err: unknown, dataDir: string): unknown {
  const texts = err instanceof Error ? [err.message, err.cause instanceof Error ? err.cause.message : ''] : [];
  if (!texts.some((text) => /ENOSPC|EDQUOT|disk is full|disk I\/O error/.test(text))) return err;
  return new StartError(
    `Nothing was restored, because the disk of ${dataDir} is full. A restore needs free space for two copies of the backup.`,
    {
      cause: err,
    },
  );
}

interface Restore {
  config: Config;
  staged: StagedBackup;
  replaced: ReplacedDatabase;
  choice: KeyChoice;
}

async function restore({ config, staged, replaced, choice }: Restore): Promise<void> {
  const { accounts, prompts, versions, canary, hasChecksum } = staged.content;
  checkSecret(canary, config, wrongSecret);
  // Opening the copy migrates its schema. This call throws if the backup comes from a newer version.
  await withStaged(config, staged.folder, async () => undefined);
  endRestoredAccess(staged.file);
  const madeAt = staged.content.madeAt === undefined ? '' : ` made at ${staged.content.madeAt}`;
  print(`The backup${madeAt} is complete: ${count(accounts, 'account')}, ${count(prompts, 'prompt')}, ${count(versions, 'version')}.`);
  if (!hasChecksum) print('The backup has no checksum, so only its structure could be verified, not its content.');
  if (!staged.hasStatistics) print(noStatistics);
  const differences = compare(replaced, staged.file);
  const oldKeys = differences && [...differences.resetKeys, ...differences.deleted];
  const isLossy = differences !== undefined && hasLosses(differences);
  const decision = await decide(choice, { changed: oldKeys?.length, all: accounts, isLossy });
  const reset = await withStaged(config, staged.folder, async (ctx) => {
    if (decision === 'reset all') return replaceAllKeys(ctx);
    if (decision === 'accept' || !oldKeys) return 0;
    for (const { id } of oldKeys) await replaceKey(ctx, id);
    return oldKeys.length;
  });
  if (reset > 0) print(`${count(reset, 'key')} will be reset. ${whereNewKeysAre}`);
  sealStaged(staged.file);
  await using file = await open(staged.file, 'r+');
  await file.sync();
  const kept = replaced.replaceBy(staged.file);
  await syncFolder(dirname(staged.folder));
  print(`The backup was restored${kept === undefined ? '' : `. The replaced database is kept in ${kept}`}.`);
  print('All sessions were ended. Invitations and password reset links from before the restore no longer work. Start the service now.');
}

const noStatistics =
  'The backup has no statistics, so the call statistics start from zero. To restore the statistics too, rename the backup ' +
  'to promptharbor.db, put the statistics.db of the same service in the same folder, and restore the backup again.';

const wrongSecret =
  'Nothing was restored, because the backup was made with a different secret. Set SECRET_KEY (or the file secret.key) to the secret of ' +
  'the service that was backed up. If the secret was changed after the backup, set SECRET_KEY_PREVIOUS to the old one.';

const choices: Record<string, Decision> = {
  'reset-changed-keys': 'reset changed',
  'reset-all-keys': 'reset all',
  'accept-old-keys': 'accept',
};

function readChoice(input: Input): KeyChoice {
  const given = Object.keys(choices).filter((name) => hasOption(input, name));
  if (given.length > 1) throw new UsageError(`Use only one of ${given.map((name) => `--${name}`).join(' and ')}.`);
  return choices[given[0] ?? ''] ?? 'ask';
}

function assertRestorable({ databaseUrl, dataDir, secretKey }: Config, backup: string): void {
  if (databaseUrl !== undefined) {
    throw new StartError('The data is in PostgreSQL. Restore it with pg_restore. See docs/running.md.');
  }
  if (secretKey === undefined && !lstatSync(dataDir, { throwIfNoEntry: false })) {
    throw new StartError(
      `There is no folder ${dataDir}. Create it and copy secret.key of the backed-up service into it, or set SECRET_KEY. Then try again.`,
    );
  }
  const found = statSync(backup, { throwIfNoEntry: false });
  if (!found) throw new CliError(`There is no file ${backup}.`, exitCodes.notFound);
  if (!found.isFile()) throw new StartError(`${backup} is not a file.`);
}

/** Removes the folder that was created for a restore, if nothing was restored. */
function removeUnused(dataDir: string): void {
  if (!hasEmbeddedDatabase(dataDir)) rmSync(dataDir, { recursive: true, force: true });
}

/** Opens the staged database in the same way as a service, with the secret of the data folder. */
async function withStaged<T>(config: Config, folder: string, work: (ctx: Context) => Promise<T>): Promise<T> {
  const ctx = await openContext({ ...config, dataDir: folder }, pino({ level: 'silent' }), {
    secretDir: config.dataDir,
    movesStatistics: false,
  });
  try {
    return await work(ctx);
  } finally {
    await closeContext(ctx);
  }
}

/** Finds the changes that the restore would undo. Returns undefined if the current database cannot be read. */
function compare(replaced: ReplacedDatabase, file: string): BackupDifferences | undefined {
  try {
    const differences = replaced.compareWith(file);
    for (const line of describeDifferences(differences)) print(line);
    return differences;
  } catch (err) {
    const reason = messageOf(err);
    print(
      `The backup cannot be compared with the current database (${reason}). All changes made after the backup are undone. Keys that were ` +
        'reset become valid again unless they are reset now. Removed members and deleted accounts come back.',
    );
    return undefined;
  }
}

/**
 * Decides whether to reset keys. The operator must choose, because an old key may be in the wrong hands. `changed` is undefined if the
 * number of changed keys is unknown.
 */
async function decide(choice: KeyChoice, keys: { changed: number | undefined; all: number; isLossy: boolean }): Promise<Decision> {
  if (choice === 'accept' || choice === 'reset all') return choice;
  if ((keys.changed ?? keys.all) === 0) {
    if (keys.isLossy && choice === 'ask' && process.stdin.isTTY) await confirm();
    return 'accept';
  }
  if (keys.changed === undefined && choice === 'reset changed') {
    throw new StartError(`Nothing was restored, because it is unknown which keys were reset after the backup. ${explainChoices(false)}`);
  }
  if (choice === 'reset changed') return choice;
  if (!process.stdin.isTTY) throw new StartError(`Nothing was restored. ${explainChoices(keys.changed !== undefined)}`);
  return ask(keys);
}

function explainChoices(isChangeKnown: boolean): string {
  const reset = isChangeKnown ? '--reset-changed-keys to reset these keys' : '--reset-all-keys to reset the keys of all accounts';
  return `Add ${reset}, or --accept-old-keys to make the old keys valid again.`;
}

async function confirm(): Promise<void> {
  if (!/^y/i.test(await askOnce('Restore the backup? [y]es or [c]ancel: '))) throw new StartError('Nothing was restored.');
}

async function ask({ changed, all }: { changed: number | undefined; all: number }): Promise<Decision> {
  const what = changed === undefined ? `the keys of all ${count(all, 'account')}` : count(changed, 'key');
  const answer = await askOnce(
    `Reset ${what}, so that no old key becomes valid again?\n[y]es, [n]o (restore with the old keys), or [c]ancel: `,
  );
  if (/^n/i.test(answer)) return 'accept';
  if (!/^y/i.test(answer)) throw new StartError('Nothing was restored.');
  return changed === undefined ? 'reset all' : 'reset changed';
}
