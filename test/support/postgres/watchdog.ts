// Stops a PostgreSQL server and removes its folders as soon as the process that started them has ended. A test run therefore leaves nothing
// behind, whether it passes, fails or is killed.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const [dir = '', dataDir = ''] = process.argv.slice(2);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.once('disconnect', async () => {
  const pid = postmasterPid();
  if (pid !== undefined) await stop(pid);
  for (const folder of [dir, dirname(dataDir)]) rmSync(folder, { recursive: true, force: true });
});

function postmasterPid(): number | undefined {
  const file = join(dataDir, 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
}

/** SIGINT makes PostgreSQL disconnect its clients and stop. SIGQUIT makes it exit at once. */
async function stop(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    for (let waited = 0; waited < 5000; waited += 20) {
      if (!sendSignal(pid, waited === 0 ? signal : 0)) return;
      await delay(20);
    }
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
