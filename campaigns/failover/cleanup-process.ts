// Ends all processes of a cluster and removes its data as soon as the process that started the cluster has ended, for any reason.
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findProcessesIn, isRoot, signalProcessesIn } from './processes.ts';

const [folder = ''] = process.argv.slice(2);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.once('disconnect', async () => {
  while (findProcessesIn(folder).length > 0) {
    signalProcessesIn(folder, 'SIGKILL');
    await delay(50);
  }
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    if (isRoot && entry.name.startsWith('db')) unmount(path);
    rmSync(path, { recursive: true, force: true });
  }
});

function unmount(path: string): void {
  try {
    execFileSync('umount', ['--lazy', path], { stdio: 'ignore' });
  } catch {
    // The disk was not mounted yet.
  }
}
