import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

let reaper: ChildProcess | undefined;

/** Makes sure that a process does not outlive this one, even when this one is killed. */
export function reap(child: ChildProcess): void {
  reaper ??= startReaper();
  const { pid } = child;
  reaper.send({ pid, state: 'running' });
  child.once('exit', () => reaper?.send({ pid, state: 'ended' }));
}

function startReaper(): ChildProcess {
  const process = fork(join(import.meta.dirname, 'reaper-process.ts'), { detached: true, stdio: 'ignore', execArgv: [] });
  process.unref();
  process.channel?.unref();
  return process;
}
