import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readdirSync, readlinkSync } from 'node:fs';
import { reap } from '../../test/support/reaper.ts';

export const isRoot = process.getuid?.() === 0;

/** PostgreSQL refuses to run as root, so root starts Patroni as Debian does. */
export function databaseUser(): { uid?: number; gid?: number } {
  if (!isRoot) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

export interface DaemonOptions extends Pick<SpawnOptions, 'uid' | 'gid' | 'env'> {
  command: string;
  args: string[];
  cwd: string;
  logFile: string;
}

/** Starts a server that logs to a file and does not outlive this process. */
export function startDaemon({ command, args, logFile, ...options }: DaemonOptions): ChildProcess {
  const log = openSync(logFile, 'a');
  const child = spawn(command, args, { ...options, stdio: ['ignore', log, log] });
  child.on('error', (err) => process.stderr.write(`${command}: ${err.message}\n`));
  reap(child);
  return child;
}

export async function endDaemon(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/**
 * Sends a signal to every process whose working directory is the given folder. The processes of a PostgreSQL server run in its data folder.
 */
export function signalProcessesIn(folder: string, signal: NodeJS.Signals): void {
  for (const pid of findProcessesIn(folder)) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has just ended.
    }
  }
}

export function findProcessesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => `${findWorkingFolder(pid)}/`.startsWith(`${folder}/`));
}

function findWorkingFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
