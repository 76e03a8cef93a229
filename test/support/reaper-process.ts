// Kills the registered processes once the test process that registered them has ended, for any reason.
const pids = new Set<number>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('message', ({ pid, state }: { pid: number; state: 'running' | 'ended' }) => {
  if (state === 'running') pids.add(pid);
  else pids.delete(pid);
});
process.once('disconnect', () => {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has already ended by itself.
    }
  }
});
