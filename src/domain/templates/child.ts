import { runJob } from './jobs.ts';
import type { Job } from './types.ts';

// The parent sends one job at a time, so jobs need no ids.
process.on('message', (job: Job) => process.send?.(runJob(job)));
// The parent ended, or wants this process to end.
process.on('disconnect', () => process.exit());
// A terminal sends signals to the whole process group, but only the parent decides when its children end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.send?.('ready');
