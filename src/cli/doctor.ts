import { constants, existsSync, statSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pino } from 'pino';
import { type Config, loadConfig } from '../config.ts';
import { listSnapshotFiles } from '../domain/backups/snapshots.ts';
import { createMailer } from '../domain/mail/mailer.ts';
import { checkProvider } from '../domain/oidc/check-provider.ts';
import { createOutbound } from '../domain/outbound/outbound.ts';
import { checkSecret } from '../domain/secrets/master-secret.ts';
import type { ProviderSettings } from '../sign-in-settings.ts';
import { findMissingFeatures, type Inspection, inspectDatabase } from '../store/inspect.ts';
import { verifyBackup } from '../store/restore.ts';
import { assertNotLost, type BackupContent } from '../store/store.ts';
import type { Input } from './command.ts';
import { messageOf } from './errors.ts';
import { isServed, sendTask } from './operator/client.ts';
import { describeBackups, type ServiceState } from './operator/describe-service.ts';
import { describeMissingPublicUrl } from './public-url.ts';
import { count, print } from './terminal.ts';
import { verifySnapshots } from './verify-snapshots.ts';

const minFreeBytes = 200 * 1024 * 1024;

/**
 * Checks everything that a start needs, and the given backups, without changing anything. Prints one line per check. The exit code is 1 if
 * a check fails.
 */
export async function doctor({ args: files }: Input): Promise<void> {
  let config: Config | undefined;
  await check('settings', async () => {
    config = loadConfig();
    return 'all values are valid';
  });
  if (!config) return;
  const settings = config;
  await check('runtime', async () => `Node ${process.versions.node}`);
  await check('disk', () => checkDisk(settings));
  const { databaseUrl } = settings;
  if (databaseUrl !== undefined) await check('database features', () => checkFeatures(databaseUrl));
  await check('database and secret', () => checkDatabase(settings));
  await check('backups', () => checkBackups(settings));
  await check('mail', () => checkMail(settings));
  for (const provider of settings.providers) await check(`provider ${provider.id}`, () => checkSignIn(settings, provider));
  if (settings.smtpUrl !== undefined && settings.publicUrl === undefined) {
    print(`warning links in emails: ${describeMissingPublicUrl(`http://${settings.host}:${settings.port}`)}`);
  }
  for (const file of files.map((path) => resolve(path)))
    await check('backup', async () => `${file}: ${describeBackup(verifyBackup(file))}`);
}

async function check(name: string, work: () => Promise<string>): Promise<void> {
  try {
    print(`ok      ${name}: ${await work()}`);
  } catch (err) {
    process.exitCode = 1;
    print(`FAILED  ${name}: ${messageOf(err)}`);
  }
}

async function checkMail(config: Config): Promise<string> {
  if (config.smtpUrl === undefined) return 'off: SMTP_URL is not set, so password reset links are logged';
  const { host } = new URL(config.smtpUrl);
  try {
    await createMailer(config, pino({ level: 'silent' })).check();
  } catch (err) {
    throw new Error(`${host} cannot be used: ${messageOf(err)}. Check SMTP_URL and the mail server.`);
  }
  return `${host} accepts connections${new URL(config.smtpUrl).username === '' ? '' : ' and the credentials'}`;
}

async function checkSignIn({ outboundAllow, publicUrl, host, port }: Config, provider: ProviderSettings): Promise<string> {
  const outbound = createOutbound({ allow: outboundAllow });
  try {
    return await checkProvider(provider, outbound, `${publicUrl?.origin ?? `http://${host}:${port}`}/api/session/oidc/callback`);
  } finally {
    await outbound.close();
  }
}

async function checkDisk({ dataDir, databaseUrl }: Config): Promise<string> {
  if (databaseUrl !== undefined) return 'not used: the data is in PostgreSQL';
  const folder = findExisting(dataDir);
  await assertWritable(folder);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free < minFreeBytes) throw new Error(`only ${toMib(free)} MiB is free in ${folder}`);
  return `${toMib(free)} MiB free in ${folder}${folder === dataDir ? '' : `, where the first start will create ${dataDir}`}`;
}

async function assertWritable(folder: string): Promise<void> {
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
  try {
    await access(folder, constants.W_OK);
  } catch {
    throw new Error(`this user cannot write to ${folder}`);
  }
}

/** Returns the path if it exists, and otherwise its nearest parent folder that exists. */
function findExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : findExisting(dirname(path));
}

/** Checks the features of the database, because a database that is compatible with PostgreSQL may still lack one that the service needs. */
async function checkFeatures(databaseUrl: string): Promise<string> {
  const missing = await findMissingFeatures(databaseUrl);
  if (missing.length === 0) return 'the server has everything that the service needs';
  throw new Error(`not available: ${missing.map(({ name, message }) => `${name} (${message})`).join('; ')}`);
}

async function checkDatabase(config: Config): Promise<string> {
  const found = await inspect(config);
  if (found.state === 'in use') {
    const { text, state } = await askService(config);
    checkOwnSecret(state?.canary, config);
    return text;
  }
  if (found.state === 'new') return 'none yet; the service creates them when it first starts';
  checkSecret(found.canary, { ...config, dataDir: config.databaseUrl ? undefined : config.dataDir });
  const { pendingMigrations: pending, accounts } = found;
  const schema = pending === 0 ? 'the schema is up to date' : `the next start will update the schema (pending migrations: ${pending})`;
  return `${schema}, the secret is correct, accounts: ${accounts}`;
}

async function checkBackups(config: Config): Promise<string> {
  if (config.databaseUrl !== undefined) return 'not made by the service; back up PostgreSQL with its own tools';
  const found = await inspect(config);
  if (found.state === 'in use') {
    const { state } = await askService(config);
    if (!state) return 'not checked, because the running service does not report where its backups are. Restart or stop the service first';
    return `${describeBackups(state.backups)}${describeSnapshots(state.backups.dir)}`;
  }
  if (config.backupDir !== undefined) await assertWritable(findExisting(config.backupDir));
  if (found.state === 'new') return 'nothing to back up yet';
  const everyMs = config.backupDir === undefined ? undefined : config.backupEveryMs;
  const text = describeBackups({ lastAt: found.lastBackupAt, everyMs, failures: 0, isFailing: false });
  return `${text}${describeSnapshots(config.backupDir)}`;
}

function describeSnapshots(dir: string | undefined): string {
  const verified = dir === undefined ? 0 : verifySnapshots(listSnapshotFiles(dir));
  return verified === 0 ? '' : `; ${count(verified, 'snapshot')} in ${dir} verified`;
}

function describeBackup({ madeAt, accounts, prompts, versions, hasChecksum }: BackupContent): string {
  const content = `${count(accounts, 'account')}, ${count(prompts, 'prompt')} and ${count(versions, 'version')}`;
  const verified = hasChecksum ? 'verified' : 'structure verified; there is no checksum to verify the content';
  return `${madeAt === undefined ? '' : `made at ${madeAt}, `}${content}, ${verified}`;
}

/**
 * Throws if a service that is started later, in the environment of this command, would use a wrong secret. The running service has already
 * checked its own secret.
 */
function checkOwnSecret(canary: string | undefined, config: Config): void {
  try {
    checkSecret(canary, config);
  } catch (err) {
    throw new Error(`the running service has the right secret, but the environment of this command does not: ${messageOf(err)}`);
  }
}

/**
 * Inspects the database. A database whose file was moved while a service is running also counts as in use. Throws if the file is missing
 * but other files of the database exist, because no service would start with them.
 */
async function inspect(config: Config): Promise<Inspection> {
  const found = await inspectDatabase(config);
  if (found.state !== 'new' || config.databaseUrl !== undefined) return found;
  if (await isServed(config.dataDir)) return { state: 'in use' };
  assertNotLost(config.dataDir);
  return found;
}

/**
 * Asks the running service for its state. The state is undefined if the service does not listen, or if its version does not report a state.
 */
async function askService({ dataDir }: Config): Promise<{ text: string; state: ServiceState | undefined }> {
  const lines: string[] = [];
  await sendTask({ dataDir, name: 'doctor', values: {}, print: async (line) => void lines.push(line) });
  const [text = 'in use by a running service', json = '{}'] = lines;
  const state = JSON.parse(json) as Partial<ServiceState>;
  return { text, state: state.backups && { canary: state.canary, backups: state.backups } };
}

function toMib(bytes: number): number {
  return Math.floor(bytes / 1024 / 1024);
}
