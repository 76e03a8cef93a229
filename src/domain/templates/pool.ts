import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import { isBuilt, root } from '../../root.ts';
import type { Job, JobResults } from './types.ts';

/** Parses, renders and compares templates in worker threads, so that no template can hold up other requests. */
export interface TemplatePool {
  run<K extends Job['kind']>(job: Extract<Job, { kind: K }>): Promise<JobResults[K]>;
  close(): Promise<void>;
}

interface Task {
  job: Job;
  resolve(result: unknown): void;
  reject(err: unknown): void;
}

const jobTimeoutMs = 2000;
const maxWaiting = 128;
const maxHeapMib = 128;
const workerFile = new URL(isBuilt ? 'dist/worker.js' : 'src/domain/templates/worker.ts', root);

/** Workers start with the first job. One that exceeds its time or memory is ended and replaced; its job fails. */
export function createTemplatePool(size = Math.max(1, Math.min(4, availableParallelism() - 1))): TemplatePool {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const waiting: Task[] = [];

  function startWorker(): Worker {
    const worker = new Worker(workerFile, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMib }, stdout: false, stderr: false });
    all.add(worker);
    worker.unref();
    return worker;
  }

  function next(): void {
    const task = waiting[0];
    if (!task) return;
    const worker = idle.pop() ?? (all.size < size ? startWorker() : undefined);
    if (!worker) return;
    waiting.shift();
    work(worker, task);
  }

  function work(worker: Worker, task: Task): void {
    const timer = setTimeout(() => end(new AppError('template_too_costly')), jobTimeoutMs);
    const onMessage = (result: unknown) => {
      settle();
      idle.push(worker);
      task.resolve(result);
      next();
    };
    const onExit = () => end(new AppError('template_too_costly'));
    const onError = (err: unknown) => end(isOutOfMemory(err) ? new AppError('template_too_costly') : err);

    function settle(): void {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit).off('error', onError);
      worker.unref();
    }
    function end(err: unknown): void {
      settle();
      all.delete(worker);
      // A late failure of a worker that is on its way out concerns nobody any more.
      worker.on('error', () => undefined);
      worker.terminate();
      task.reject(err);
      next();
    }

    worker.ref();
    worker.on('message', onMessage).on('exit', onExit).on('error', onError);
    worker.postMessage(task.job);
  }

  return {
    run(job) {
      if (waiting.length >= maxWaiting) return Promise.reject(new AppError('overloaded'));
      const { promise, resolve, reject } = Promise.withResolvers<JobResults[typeof job.kind]>();
      // The worker answers each kind of job with its own kind of result.
      waiting.push({ job, resolve: resolve as Task['resolve'], reject });
      next();
      return promise;
    },

    async close() {
      for (const task of waiting.splice(0)) task.reject(new AppError('overloaded'));
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

function isOutOfMemory(err: unknown): boolean {
  return err instanceof Error && 'code' in err && err.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
