import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { isExecutable, readPackageFile } from '../package-files.ts';
import { isBuilt, root } from '../root.ts';

/** The sources of the service's threads and child processes, by bundle name. */
export const threads = {
  'database-thread': 'src/store/engine/threads/database-worker.ts',
  'outbound-worker': 'src/domain/outbound/outbound-worker.ts',
  'intake-worker': 'src/domain/results/intake/intake-worker.ts',
};
export const children = {
  child: 'src/domain/templates/child.ts',
  'backup-child': 'src/store/engine/backup-child.ts',
};
const sources = { ...threads, ...children };

/**
 * The environment variable that the single executable sets for its child processes. Its value is the name of the program that the child
 * runs.
 */
export const programVariable = 'PROMPTHARBOR_PROGRAM';

/** Starts a thread. */
export function startThread(name: keyof typeof threads, options: Omit<WorkerOptions, 'eval'>): Worker {
  if (isExecutable) return new Worker(readPackageFile(`programs/${name}.js`).toString(), { ...options, eval: true });
  return new Worker(fileOf(name), options);
}

interface ChildOptions {
  args?: string[];
  /** The maximum size of the heap. */
  heapMib?: number;
  /** Whether the process may only compute: it reads nothing but its own code, writes no files and starts no processes. */
  isConfined?: boolean;
  /** The priority of the process: below normal, so that requests go first when the machine is busy. */
  priority: number;
}

/** Starts a process that only exchanges messages with this one. */
export function startChild(name: keyof typeof children, { args = [], heapMib, isConfined, priority }: ChildOptions): ChildProcess {
  const options: string[] = [];
  if (heapMib !== undefined) options.push(`--max-old-space-size=${heapMib}`);
  if (isConfined) options.push('--permission');
  // The single executable contains its own code, so its child needs no permission to read files.
  if (isConfined && !isExecutable) options.push(`--allow-fs-read=${fileURLToPath(root)}*`);
  const child = fork(isExecutable ? name : fileOf(name), args, {
    env: isExecutable ? { ...env, [programVariable]: name, NODE_OPTIONS: options.join(' ') } : env,
    execArgv: isExecutable ? [] : options,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  try {
    if (child.pid !== undefined) setPriority(child.pid, priority);
  } catch {
    // The process has already ended, or the system does not allow changing its priority.
  }
  return child;
}

/**
 * Child processes do not get the service's environment, because it contains secrets. The only exception is a variable that Windows needs to
 * start a program.
 */
const env = process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot } : {};

function fileOf(name: keyof typeof sources): string {
  return fileURLToPath(new URL(isBuilt ? `dist/${name}.js` : sources[name], root));
}
