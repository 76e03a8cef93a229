import type { ChildProcess } from 'node:child_process';
import { AppError } from '../../errors.ts';
import { startChild } from '../../platform/programs.ts';
import type { Job, JobResults } from './template-types.ts';

/** The priority is below normal. On a busy machine, a child process gets about a third of the CPU time that requests get. */
const priority = 5;
/**
 * The default limits. The timeout is generous, because a process may have to start on a busy machine. The steps of a template are limited
 * separately, so only work that no budget counts can reach the timeout.
 */
const defaultLimits = { timeoutMs: 15_000, heapMib: 128, idleMs: 60_000 };

/**
 * Runs jobs in child processes, one at a time in each. A template that uses up the memory kills only its own process. A thread with a heap
 * limit would not be enough, because V8 ends the whole process when a heap is full. A process is started when no idle process is available,
 * so the caller must limit the number of jobs. An idle process ends after a minute.
 */
export function createChildren({ timeoutMs, heapMib, idleMs } = defaultLimits) {
  const children = new Set<ChildProcess>();
  const idle: { child: ChildProcess; timer: NodeJS.Timeout }[] = [];
  let isClosed = false;

  function start(): ChildProcess {
    const child = startChild('child', { heapMib, isConfined: true, priority });
    children.add(child);
    // An error means that the process could not be started, or that a message could not be sent because the process has just ended.
    child.once('exit', () => forget(child)).on('error', () => forget(child));
    return child;
  }

  function takeIdle(): ChildProcess | undefined {
    const last = idle.pop();
    clearTimeout(last?.timer);
    return last?.child;
  }

  function addIdle(child: ChildProcess): void {
    // The child must not keep the service from ending.
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
    const onExit = () => reject(new AppError(isClosed ? 'overloaded' : 'template_too_costly'));
    const onError = (cause: Error) => reject(new AppError('overloaded', { cause }));
    const onMessage = (result: unknown) => {
      addIdle(child);
      // The result of the process has the type that belongs to its job.
      resolve(result as R);
    };
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    child.ref();
    child.channel?.ref();
    child.on('message', onMessage).on('exit', onExit).on('error', onError);
    child.send(job);
    return promise.finally(() => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit).off('error', onError);
    });
  }

  return {
    async run<K extends Job['kind']>(job: Extract<Job, { kind: K }>): Promise<JobResults[K]> {
      if (isClosed) throw new AppError('overloaded');
      return runIn(takeIdle() ?? start(), job);
    },

    async close(): Promise<void> {
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
