import { parentPort } from 'node:worker_threads';
import { runJob } from './engine.ts';
import type { Job } from './types.ts';

// One job at a time: the pool sends the next when this one is answered.
parentPort?.on('message', (job: Job) => parentPort?.postMessage(runJob(job)));
