import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import { isBuilt, root } from '../../root.ts';
import type { Job, JobResults } from './types.ts';

/** Parses, renders and compares templates in worker threads, so that no template can delay other requests. */
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
const maxQueued = 128;
const maxHeapMib = 128;
const workerFile = new URL(isBuilt ? 'dist/worker.js' : 'src/domain/templates/worker.ts', root);

/** Workers are started on demand. A worker that exceeds its time or memory limit is terminated and its job fails. */
export function createTemplatePool(size = Math.max(1, Math.min(4, availableParallelism() - 1))): TemplatePool {
  const workers = new Set<Worker>();
  const idle: Worker[] = [];
  const queue: Task[] = [];

  function startWorker(): Worker {
    const worker = new Worker(workerFile, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMib }, stdout: false, stderr: false });
    workers.add(worker);
    worker.unref();
    return worker;
  }

  function runNext(): void {
    const task = queue[0];
    if (!task) return;
    const worker = idle.pop() ?? (workers.size < size ? startWorker() : undefined);
    if (!worker) return;
    queue.shift();
    runTask(worker, task);
  }

  function runTask(worker: Worker, task: Task): void {
    const timer = setTimeout(() => fail(new AppError('template_too_costly')), jobTimeoutMs);
    const onMessage = (result: unknown) => {
      release();
      idle.push(worker);
      task.resolve(result);
      runNext();
    };
    const onExit = () => fail(new AppError('template_too_costly'));
    const onError = (err: unknown) => fail(isOutOfMemory(err) ? new AppError('template_too_costly') : err);

    function release(): void {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit).off('error', onError);
      worker.unref();
    }
    function fail(err: unknown): void {
      release();
      workers.delete(worker);
      // A terminated worker may still emit an error, which without a listener would crash the process.
      worker.on('error', () => undefined);
      worker.terminate();
      task.reject(err);
      runNext();
    }

    worker.ref();
    worker.on('message', onMessage).on('exit', onExit).on('error', onError);
    worker.postMessage(task.job);
  }

  return {
    run(job) {
      if (queue.length >= maxQueued) return Promise.reject(new AppError('overloaded'));
      const { promise, resolve, reject } = Promise.withResolvers<JobResults[typeof job.kind]>();
      // The worker returns the result type of the job it received.
      queue.push({ job, resolve: resolve as Task['resolve'], reject });
      runNext();
      return promise;
    },

    async close() {
      for (const task of queue.splice(0)) task.reject(new AppError('overloaded'));
      await Promise.all([...workers].map((worker) => worker.terminate()));
    },
  };
}

function isOutOfMemory(err: unknown): boolean {
  return err instanceof Error && 'code' in err && err.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
