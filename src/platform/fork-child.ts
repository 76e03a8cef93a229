import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';

/**
 * Child processes do not get the service's environment, because it contains secrets. The only exception is a variable that Windows needs to
 * start a program.
 */
const env = process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot } : {};

interface ForkOptions {
  args?: string[];
  execArgv?: string[];
  /** The priority of the process: below normal, so that requests go first when the machine is busy. */
  priority: number;
}

/** Starts a process that only exchanges messages with this one. */
export function forkChild(file: string, { args = [], execArgv = [], priority }: ForkOptions): ChildProcess {
  const child = fork(file, args, { env, execArgv, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  try {
    if (child.pid !== undefined) setPriority(child.pid, priority);
  } catch {
    // The process has already ended, or the system does not allow changing its priority.
  }
  return child;
}
