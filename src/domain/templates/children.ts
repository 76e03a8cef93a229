import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../errors.ts';
import { readCpuMs } from '../../platform/cpu-time.ts';
import { lowerPriority } from '../../platform/lower-priority.ts';
import { isBuilt, root } from '../../root.ts';
import type { Job, JobResults } from './template-types.ts';

/**
 * Runs jobs in child processes, one at a time in each. A template that uses up a process's memory kills only that process:
 * V8 ends the whole process when a heap is full, so a thread with a heap limit would not be enough.
 */
interface Children {
  run<K extends Job['kind']>(job: Extract<Job, { kind: K }>): Promise<JobResults[K]>;
  close(): Promise<void>;
}

/** Below normal: on a busy machine, it gets about a third of what requests get. */
const priority = 5;
const childFile = fileURLToPath(new URL(isBuilt ? 'dist/child.js' : 'src/domain/templates/child.ts', root));
/** The steps of a template are limited, so only work that no budget counts takes this long. */
const defaultLimits = { timeoutMs: 5000, heapMib: 128, idleMs: 60_000 };
/** The time of a job is that of its CPU, where the system tells. On a machine that is very busy, it may take so many times as long. */
const maxDelay = 6;
const startTimeoutMs = 30_000;
/** Nothing of the service's own: it has secrets. Windows needs the one variable to start a program. */
const environment = process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot } : {};

/** Starts a process when a job finds no idle one, so the caller limits their number. An idle one ends after a minute. */
export function createChildren({ timeoutMs, heapMib, idleMs } = defaultLimits): Children {
  const children = new Set<ChildProcess>();
  const idle: { child: ChildProcess; timer: NodeJS.Timeout }[] = [];
  let isClosed = false;

  async function start(): Promise<ChildProcess> {
    const child = fork(childFile, {
      env: environment,
      // No files but its own code, nothing to write, no processes to start.
      execArgv: [`--max-old-space-size=${heapMib}`, '--permission', `--allow-fs-read=${fileURLToPath(root)}*`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    children.add(child);
    child.once('exit', () => forget(child));
    // Emitted also when a message cannot be sent, because the process has just ended.
    child.on('error', () => forget(child));
    lowerPriority(child.pid, priority);
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
    const onEnd = () => {
      child.kill('SIGKILL');
      reject(new AppError('overloaded', { cause: new Error('a child process for templates did not start') }));
    };
    const timer = setTimeout(onEnd, startTimeoutMs);
    child.once('message', resolve).once('exit', onEnd).once('error', onEnd);
    await ready.finally(() => {
      clearTimeout(timer);
      child.off('exit', onEnd).off('error', onEnd);
    });
    return child;
  }

  function takeIdle(): ChildProcess | undefined {
    const last = idle.pop();
    clearTimeout(last?.timer);
    return last?.child;
  }

  function addIdle(child: ChildProcess): void {
    // It must not keep the service from ending.
    child.unref();
    child.channel?.unref();
    const end = () => {
      forget(child);
      child.kill('SIGKILL');
    };
    idle.push({ child, timer: setTimeout(end, idleMs).unref() });
  }

  function forget(child: ChildProcess): void {
    children.delete(child);
    const index = idle.findIndex((entry) => entry.child === child);
    if (index >= 0) clearTimeout(idle.splice(index, 1)[0]?.timer);
  }

  function runIn<R>(child: ChildProcess, job: Job): Promise<R> {
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    const onEnd = () => settle(() => reject(new AppError(isClosed ? 'overloaded' : 'template_too_costly')));
    const startedAt = performance.now();
    const cpuBefore = readCpuMs(child.pid);
    const onTimeout = () => {
      const elapsedMs = performance.now() - startedAt;
      const usedMs = cpuBefore === undefined ? elapsedMs : (readCpuMs(child.pid) ?? Infinity) - cpuBefore;
      if (usedMs < timeoutMs && elapsedMs < timeoutMs * maxDelay) {
        timer = setTimeout(onTimeout, timeoutMs - usedMs);
        return;
      }
      forget(child);
      child.kill('SIGKILL');
      onEnd();
    };
    const onMessage = (result: unknown) => {
      addIdle(child);
      // The process returns the result type of the job it received.
      settle(() => resolve(result as R));
    };
    let timer = setTimeout(onTimeout, timeoutMs);
    function settle(finish: () => void): void {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onEnd).off('error', onEnd);
      finish();
    }
    child.ref();
    child.channel?.ref();
    child.on('message', onMessage).on('exit', onEnd).on('error', onEnd);
    child.send(job);
    return promise;
  }

  return {
    async run(job) {
      if (isClosed) throw new AppError('overloaded');
      return runIn(takeIdle() ?? (await start()), job);
    },

    async close() {
      isClosed = true;
      const ended = [...children].map((child) => new Promise((resolve) => child.once('exit', resolve)));
      for (const child of children) {
        child.ref();
        child.kill('SIGKILL');
      }
      await Promise.all(ended);
    },
  };
}
