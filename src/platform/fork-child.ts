import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';

/** Nothing of the service's own: it has secrets. Windows needs the one variable to start a program. */
const env = process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot } : {};

interface ForkOptions {
  args?: string[];
  execArgv?: string[];
  /** Below normal, so that requests go first when the machine is busy. */
  priority: number;
}

/** Starts a process that only gets and sends messages. */
export function forkChild(file: string, { args = [], execArgv = [], priority }: ForkOptions): ChildProcess {
  const child = fork(file, args, { env, execArgv, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  try {
    if (child.pid !== undefined) setPriority(child.pid, priority);
  } catch {
    // It has ended already, or the system does not allow it.
  }
  return child;
}
