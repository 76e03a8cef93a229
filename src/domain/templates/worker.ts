import { parentPort } from 'node:worker_threads';
import { runJob } from './engine.ts';
import type { Job } from './types.ts';

// The pool sends one job at a time, so jobs need no ids.
parentPort?.on('message', (job: Job) => parentPort?.postMessage(runJob(job)));
