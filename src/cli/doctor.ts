import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { pino } from 'pino';
import { type Config, loadConfig } from '../config.ts';
import { closeContext, openContext } from '../service.ts';

const enoughDiskBytes = 200 * 1024 * 1024;

/** Checks what a start needs, one line each. Exit code 1 when something is wrong. */
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
    report('wrong', 'settings', messageOf(err));
    return;
  }
  for (const [name, check] of checks) {
    try {
      report('ok', name, await check(config));
    } catch (err) {
      report('wrong', name, messageOf(err));
    }
  }
}

async function checkDisk({ dataDir, databaseUrl }: Config): Promise<string> {
  if (databaseUrl !== undefined) return 'nothing is kept here: the data is in PostgreSQL';
  try {
    await access(dataDir, constants.W_OK);
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') return `${dataDir} will be made on the first start`;
    throw new Error(`${dataDir} is not writable for this user`);
  }
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  if (free < enoughDiskBytes) throw new Error(`only ${Math.floor(free / 1024 / 1024)} MiB are free in ${dataDir}`);
  return `${Math.floor(free / 1024 / 1024)} MiB are free in ${dataDir}`;
}

async function checkDatabase(config: Config): Promise<string> {
  const ctx = await openContext(config, pino({ level: 'silent' }));
  try {
    return `the schema is current, the secret fits, ${await ctx.store.accounts.count()} accounts`;
  } finally {
    await closeContext(ctx);
  }
}

function report(state: 'ok' | 'wrong', name: string, text: string): void {
  if (state === 'wrong') process.exitCode = 1;
  process.stdout.write(`${state === 'ok' ? 'ok   ' : 'WRONG'}  ${name}: ${text}\n`);
}

function messageOf(err: unknown): string {
  return err instanceof Error ? err.message : String(err);
}
