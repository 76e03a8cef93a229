import { runJob } from './template-jobs.ts';
import type { Job } from './template-types.ts';

// The parent sends one job at a time, so jobs need no ids.
process.on('message', async (job: Job) => process.send?.(job.kind === 'check' ? await runCheck(job) : runJob(job)));
// The parent has ended, or has asked this process to end.
process.on('disconnect', () => process.exit());
// A terminal sends signals to the whole process group, but only the parent decides when its children end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

/** Runs a check. The module is imported with the first check, because most processes only render. */
async function runCheck(job: Extract<Job, { kind: 'check' }>) {
  const { runCheckJob } = await import('./check-job.ts');
  return runCheckJob(job);
}
