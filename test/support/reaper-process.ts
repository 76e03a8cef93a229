// Kills the processes it was told of once the test process that told it is gone, however that went.
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
      // It ended by itself in this very moment.
    }
  }
});
