import { constants, existsSync, statSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Config, loadConfig } from '../config.ts';
import { checkSecret } from '../domain/secrets/master-secret.ts';
import { type Inspection, inspectDatabase } from '../store/inspect.ts';
import { assertNoLogAlone } from '../store/store.ts';
import { messageOf } from './errors.ts';
import { isServed, sendTask } from './operator/client.ts';
import { type BackupState, describeBackups } from './operator/describe-service.ts';
import { print } from './terminal.ts';

const minFreeBytes = 200 * 1024 * 1024;

/** Checks everything a start needs, without changing anything, and prints one line per check. The exit code is 1 if a check fails. */
export async function doctor(): Promise<void> {
  let config: Config | undefined;
  await check('settings', async () => {
    config = loadConfig();
    return 'all values are valid';
  });
  if (!config) return;
  const settings = config;
  await check('runtime', async () => `Node ${process.versions.node}`);
  await check('disk', () => checkDisk(settings));
  await check('database and secret', () => checkDatabase(settings));
  await check('backups', () => checkBackups(settings));
}

async function check(name: string, work: () => Promise<string>): Promise<void> {
  try {
    print(`ok      ${name}: ${await work()}`);
  } catch (err) {
    process.exitCode = 1;
    print(`FAILED  ${name}: ${messageOf(err)}`);
  }
}

async function checkDisk({ dataDir, databaseUrl }: Config): Promise<string> {
  if (databaseUrl !== undefined) return 'not used: the data is in PostgreSQL';
  const folder = findExisting(dataDir);
  await assertWritable(folder);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free < minFreeBytes) throw new Error(`only ${toMib(free)} MiB free in ${folder}`);
  return `${toMib(free)} MiB free in ${folder}${folder === dataDir ? '' : `, where the first start creates ${dataDir}`}`;
}

async function assertWritable(folder: string): Promise<void> {
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a directory`);
  try {
    await access(folder, constants.W_OK);
  } catch {
    throw new Error(`${folder} is not writable for this user`);
  }
}

/** The path, or the nearest folder above it that exists. */
function findExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : findExisting(dirname(path));
}

async function checkDatabase(config: Config): Promise<string> {
  const found = await inspect(config);
  if (found.state === 'in use') return (await askService(config))[0] ?? 'in use by a running PromptHarbor';
  if (found.state === 'new') return 'none yet, the first start creates them';
  checkSecret(found.canary, { ...config, dataDir: config.databaseUrl ? undefined : config.dataDir });
  const { pendingMigrations: pending, accounts } = found;
  const schema = pending === 0 ? 'the schema is up to date' : `the next start brings the schema up to date (migrations: ${pending})`;
  return `${schema}, the secret is correct, accounts: ${accounts}`;
}

async function checkBackups(config: Config): Promise<string> {
  if (config.databaseUrl !== undefined) return 'not made here: back up PostgreSQL with its own tools';
  const found = await inspect(config);
  if (found.state === 'in use') {
    const [, state] = await askService(config);
    // Written by the task of the same version.
    return state === undefined ? 'the running PromptHarbor knows' : describeBackups(JSON.parse(state) as BackupState);
  }
  if (config.backupDir !== undefined) await assertWritable(findExisting(config.backupDir));
  if (found.state === 'new') return 'nothing to back up yet';
  return describeBackups({
    lastAt: found.lastBackupAt,
    everyMs: config.backupDir === undefined ? undefined : config.backupEveryMs,
    failures: 0,
    isFailing: false,
  });
}

/** The database is in use also if it was moved away under a service. Throws if its log was left behind, where no service would start. */
async function inspect(config: Config): Promise<Inspection> {
  const found = await inspectDatabase(config);
  if (found.state !== 'new' || config.databaseUrl !== undefined) return found;
  if (await isServed(config.dataDir)) return { state: 'in use' };
  assertNoLogAlone(config.dataDir);
  return found;
}

/** What the running service says about its database and its backups. Nothing if it does not listen. */
async function askService({ dataDir }: Config): Promise<string[]> {
  const lines: string[] = [];
  await sendTask({ dataDir, name: 'doctor', values: {}, print: async (line) => void lines.push(line) });
  return lines;
}

function toMib(bytes: number): number {
  return Math.floor(bytes / 1024 / 1024);
}
