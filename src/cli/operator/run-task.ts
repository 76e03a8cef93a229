import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { type Config, loadConfig } from '../../config.ts';
import { DatabaseInUseError, StartError } from '../../errors.ts';
import { closeContext, openContext } from '../../service.ts';
import { assertNotLost, hasEmbeddedDatabase } from '../../store/store.ts';
import type { Options } from '../command.ts';
import { CliError, exitCodes } from '../errors.ts';
import { write } from '../terminal.ts';
import { sendTask } from './client.ts';
import { socketAddress, socketFileIn } from './socket-path.ts';
import { type TaskName, tasks } from './tasks.ts';

/** The timeout for removing the rows of a deleted account. The service's housekeeping removes the remaining rows. */
const drainTimeoutMs = 60_000;
/** The time to wait for a service that is starting. A service locks the database before it listens. */
const startingMs = 3000;
const pollMs = 100;

/** Runs a task in the service that has the embedded database open, or in this process if there is no such service. */
export async function runTask(name: TaskName, values: Options['values']): Promise<void> {
  const config = loadConfig();
  const sent = { dataDir: config.dataDir, name, values, print };
  if (config.databaseUrl !== undefined) return runHere(config, name, values);
  if (await sendTask(sent)) return;
  // Only the first account may be created before the first start. For any other task, a missing database means that the command and the
  // service use different values of DATA_DIR.
  if (name !== 'accounts create') assertEmbeddedDatabase(config.dataDir);
  try {
    await runHere(config, name, values);
  } catch (err) {
    if (!(err instanceof DatabaseInUseError)) throw err;
    for (let waitedMs = 0; waitedMs < startingMs; waitedMs += pollMs) {
      if (await sendTask(sent)) return;
      await delay(pollMs);
    }
    throw new StartError(`${err.message}\n${explainNoSocket(config.dataDir)}`);
  }
}

/** Throws if there is no embedded database in the data folder, because opening it would create one. */
function assertEmbeddedDatabase(dataDir: string): void {
  if (hasEmbeddedDatabase(dataDir)) return;
  assertNotLost(dataDir);
  throw new CliError(`There is no database in ${dataDir}. Set DATA_DIR to its folder.`, exitCodes.notFound);
}

function explainNoSocket(dataDir: string): string {
  const file = socketFileIn(dataDir);
  return socketAddress(file) === undefined
    ? `The path of its socket, ${file}, is too long. Run the command in ${dataDir}, or stop the service first.`
    : `It does not accept commands on ${file}. Check its log for the reason.`;
}

async function runHere(config: Config, name: TaskName, values: Options['values']): Promise<void> {
  // A backup must not migrate the database, because the backup may be needed to undo an upgrade.
  const ctx = await openContext(config, pino({ level: 'silent' }), { migrates: name !== 'backup' });
  try {
    await tasks[name](ctx, { values }, { print, signal: new AbortController().signal });
    await Promise.all([ctx.background.drain(drainTimeoutMs), ctx.mails.drain(drainTimeoutMs)]);
  } finally {
    await closeContext(ctx);
  }
}

async function print(line: string): Promise<void> {
  if (!write(process.stdout, `${line}\n`) && process.stdout.writable) await once(process.stdout, 'drain').catch(() => undefined);
}
