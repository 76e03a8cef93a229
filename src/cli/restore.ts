import { lstatSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pino } from 'pino';
import { type Config, loadConfig } from '../config.ts';
import { replaceKey } from '../domain/accounts/keys.ts';
import { syncFolder } from '../domain/backups/backup-files.ts';
import { StartError } from '../errors.ts';
import { closeContext, openContext } from '../service.ts';
import { type BackupDifferences, endRestoredAccess, lockReplaced, type ReplacedDatabase, stageBackup } from '../store/restore.ts';
import { hasOption, type Input } from './command.ts';
import { UsageError } from './errors.ts';
import { createQuestions } from './questions.ts';
import { describeDifferences } from './restore-differences.ts';
import { count, print } from './terminal.ts';

type KeyChoice = 'reset' | 'accept' | 'ask';

/** Replaces the embedded database by a backup. Until the last step, nothing of the present one changes. */
export async function restoreCommand(input: Input): Promise<void> {
  const config = loadConfig();
  const backup = resolve(input.args[0] ?? '');
  const choice = readChoice(input);
  assertRestorable(config, backup);
  const replaced = lockReplaced(config.dataDir);
  try {
    const staged = stageBackup(backup, config.dataDir);
    try {
      await restore({ config, staged, replaced, choice });
    } finally {
      rmSync(staged.folder, { recursive: true, force: true });
    }
  } finally {
    replaced.close();
  }
}

interface Restore {
  config: Config;
  staged: ReturnType<typeof stageBackup>;
  replaced: ReplacedDatabase;
  choice: KeyChoice;
}

async function restore({ config, staged, replaced, choice }: Restore): Promise<void> {
  const { accounts, prompts, versions } = staged.content;
  // Brings the schema up to date, and throws if the version or the secret does not fit.
  await withStaged(config, staged.folder, async () => undefined);
  endRestoredAccess(staged.file);
  print(`The backup is complete: ${count(accounts, 'account')}, ${count(prompts, 'prompt')}, ${count(versions, 'version')}.`);
  const differences = compare(replaced, staged.file);
  const oldKeys = [...(differences?.resetKeys ?? []), ...(differences?.deleted ?? [])];
  if (oldKeys.length > 0 && (await decide(choice, oldKeys.length)) === 'reset') {
    await withStaged(config, staged.folder, async (ctx) => {
      for (const { id } of oldKeys) await replaceKey(ctx, id);
    });
    print(
      `${count(oldKeys.length, 'key')} will be reset. Owners find the new one in the dashboard under Settings, API Keys; for service accounts, reset it there under Members.`,
    );
  }
  await using file = await open(staged.file, 'r+');
  await file.sync();
  const kept = replaced.replaceBy(staged.file);
  await syncFolder(dirname(staged.folder));
  print(`The backup was restored${kept === undefined ? '' : `. What it replaced is kept in ${kept}`}.`);
  print('All sessions were ended, and open invitations and links for new passwords are void. Start the service now.');
}

function readChoice(input: Input): KeyChoice {
  const [isReset, isAccept] = [hasOption(input, 'reset-changed-keys'), hasOption(input, 'accept-old-keys')];
  if (isReset && isAccept) throw new UsageError('Use --reset-changed-keys or --accept-old-keys, not both.');
  return isReset ? 'reset' : isAccept ? 'accept' : 'ask';
}

function assertRestorable({ databaseUrl, dataDir }: Config, backup: string): void {
  if (databaseUrl !== undefined) {
    throw new StartError('The data is in PostgreSQL, which has its own tools: use pg_restore, see docs/running.md.');
  }
  if (!lstatSync(dataDir, { throwIfNoEntry: false })) {
    throw new StartError(`There is no folder ${dataDir}. Create it, put secret.key of the backed up service into it, and try again.`);
  }
  if (!lstatSync(backup, { throwIfNoEntry: false })) throw new StartError(`There is no file ${backup}.`);
}

/** Opens the staged database as a service would, with the secret of the data folder. */
async function withStaged(config: Config, folder: string, work: (ctx: Awaited<ReturnType<typeof openContext>>) => Promise<void>) {
  const ctx = await openContext({ ...config, dataDir: folder }, pino({ level: 'silent' }), { secretDir: config.dataDir });
  try {
    await work(ctx);
  } finally {
    await closeContext(ctx);
  }
}

/** Says what the restore undoes. Undefined if the present database cannot tell. */
function compare(replaced: ReplacedDatabase, file: string): BackupDifferences | undefined {
  try {
    const differences = replaced.compareWith(file);
    for (const line of describeDifferences(differences)) print(line);
    return differences;
  } catch (err) {
    const reason = err instanceof Error ? err.message : String(err);
    print(
      `It cannot be compared with a present database (${reason}). Whatever was changed since the backup is undone: keys that were reset ` +
        'are valid again, removed members and deleted accounts are back. Ask owners who reset their key since to reset it again.',
    );
    return undefined;
  }
}

/** An old key may be in the wrong hands, so there is no choice without being asked. */
async function decide(choice: KeyChoice, keys: number): Promise<Exclude<KeyChoice, 'ask'>> {
  if (choice !== 'ask') return choice;
  if (!process.stdin.isTTY) {
    throw new StartError(
      'Nothing was restored. Add --reset-changed-keys to reset these keys, or --accept-old-keys to make the old ones valid again.',
    );
  }
  const questions = createQuestions();
  try {
    const answer = await questions.ask(`Reset ${count(keys, 'key')}, so that the old ones do not become valid again? [Y/n] `);
    return /^n/i.test(answer.trim()) ? 'accept' : 'reset';
  } finally {
    questions.close();
  }
}
