import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { pino } from 'pino';
import { type Config, loadConfig } from '../config.ts';
import { closeContext, openContext } from '../service.ts';

const minFreeBytes = 200 * 1024 * 1024;

/** Checks everything a start needs and prints one line per check. The exit code is 1 if a check fails. */
export async function doctor(): Promise<void> {
  const checks: [string, (config: Config) => Promise<string>][] = [
    ['runtime', async () => `Node ${process.versions.node}`],
    ['disk', checkDisk],
    ['database and secret', checkDatabase],
  ];

  let config: Config;
  try {
    config = loadConfig();
    report('ok', 'settings', 'all values are valid');
  } catch (err) {
    report('failed', 'settings', getMessage(err));
    return;
  }
  for (const [name, check] of checks) {
    try {
      report('ok', name, await check(config));
    } catch (err) {
      report('failed', name, getMessage(err));
    }
  }
}

async function checkDisk({ dataDir, databaseUrl }: Config): Promise<string> {
  if (databaseUrl !== undefined) return 'not used: the data is in PostgreSQL';
  try {
    await access(dataDir, constants.W_OK);
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') return `${dataDir} will be created on the first start`;
    throw new Error(`${dataDir} is not writable for this user`);
  }
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  if (free < minFreeBytes) throw new Error(`only ${toMib(free)} MiB free in ${dataDir}`);
  return `${toMib(free)} MiB free in ${dataDir}`;
}

async function checkDatabase(config: Config): Promise<string> {
  const ctx = await openContext(config, pino({ level: 'silent' }));
  try {
    return `the schema is up to date, the secret is correct, accounts: ${await ctx.store.accounts.count()}`;
  } finally {
    await closeContext(ctx);
  }
}

function report(result: 'ok' | 'failed', name: string, text: string): void {
  if (result === 'failed') process.exitCode = 1;
  process.stdout.write(`${result === 'ok' ? 'ok    ' : 'FAILED'}  ${name}: ${text}\n`);
}

function toMib(bytes: number): number {
  return Math.floor(bytes / 1024 / 1024);
}

function getMessage(err: unknown): string {
  return err instanceof Error ? err.message : String(err);
}
